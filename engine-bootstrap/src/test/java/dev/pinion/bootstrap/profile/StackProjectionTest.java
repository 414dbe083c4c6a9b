package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StackProjectionTest {
  private static final String CONTAINER = "org.container.Server.serve";
  private static final String SECURITY = "org.security.Cipher.crypt";
  private static final String ENCODING = "org.encoding.Writer.write";

  private final Profile profile =
      new Stacks()
          .cpu(6, CONTAINER, "org.container.Worker.run", SECURITY, "org.security.Rsa.power")
          .cpu(3, CONTAINER, ENCODING, SECURITY)
          .cpu(1, CONTAINER)
          .profile("globus");

  @Test
  void shouldChartWeightByPackageAndPositionOnTheCollapsedStack() {
    StackProjection stackProjection =
        StackProjection.of(profile, profile.rows(), new PackageGrouping(2, true), 3);

    assertEquals(
        Map.of(
            "org.container", List.of(10.0, 0.0, 0.0),
            "org.security", List.of(0.0, 6.0, 3.0),
            "org.encoding", List.of(0.0, 3.0, 0.0)),
        stackProjection.packages());
  }

  @Test
  void shouldLeaveOutWhatIsDeeperThanTheChart() {
    StackProjection stackProjection =
        StackProjection.of(profile, profile.rows(), new PackageGrouping(2, true), 1);

    assertEquals(Map.of("org.container", List.of(10.0)), stackProjection.packages());
  }
}
