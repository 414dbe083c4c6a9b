package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.protocol.ProfiledProcess;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfileTest {
  private static final Profile.Header HEADER =
      new Profile.Header("test", "2026-01-01T00:00:00Z", 1, "jdk.CPUTimeSample", List.of());

  private final CallTree tree = new CallTree();

  private ProfileRow.Site place(String frame) {
    return new ProfileRow.Site(
        ProfileKind.CPU,
        ProfiledProcess.replica(0),
        "kernel",
        PipelineStage.KERNEL,
        new ProfileRow.TaskOrigin("d/busy/1.0.0", "/do/0", "gold"),
        ProfileRow.NONE,
        tree.node(List.of(frame)));
  }

  @Test
  void shouldAddRowsOfOnePlaceTogether() {
    Profile.Builder builder = new Profile.Builder(tree);

    builder.add(place("a.B.c"), 2, 1);
    builder.add(place("a.B.c"), 3, 1);

    assertEquals(List.of(new ProfileRow(place("a.B.c"), 5, 2)), builder.build(HEADER).rows());
  }

  @Test
  void shouldKeepTheAmountOfWhatHasNoRowAnyMore() {
    Profile.Builder builder = new Profile.Builder(tree, 2);

    for (String frame : List.of("a.B.one", "a.B.two", "a.B.three", "a.B.four", "a.B.one")) {
      builder.add(place(frame), 1, 1);
    }
    Profile profile = builder.build(HEADER);

    assertEquals(5, profile.total(ProfileKind.CPU));
    assertEquals(3, profile.rows().size());
    assertEquals(
        2,
        profile.rows().stream()
            .filter(
                profileRow ->
                    profile.stack(profileRow).isEmpty()
                        && profileRow.place().work().equals(ProfileRow.NO_WORK))
            .mapToDouble(ProfileRow::amount)
            .sum());
  }
}
