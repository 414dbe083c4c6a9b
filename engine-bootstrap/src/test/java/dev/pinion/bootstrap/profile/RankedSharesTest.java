package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.profile.RankedShares.Share;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankedSharesTest {
  private final Profile profile =
      new Stacks()
          .on("kernel", PipelineStage.KERNEL)
          .of("d/busy/1.0.0", "/do/0/loop")
          .cpu(6, "a.b.Loop.run", "c.d.Jq.eval", "java.util.HashMap.get")
          .cpu(2, "a.b.Loop.run", "c.d.Jq.eval", "a.b.Loop.again")
          .on("invoker", PipelineStage.INVOKER)
          .of(ProfileRow.NONE, ProfileRow.NONE)
          .cpu(2, "java.lang.Thread.run", "java.util.zip.Inflater.inflate")
          .profile("shares");

  @Test
  void shouldGiveExclusiveSharesToTheInnermostPackageAboveThePlatform() {
    List<Share> shares =
        RankedShares.ofPackages(profile, profile.rows(), new PackageGrouping(2, true));

    assertEquals(
        List.of(
            new Share("c.d", 0.6, 0.8),
            new Share("a.b", 0.2, 0.8),
            new Share("java.util", 0.2, 0.2),
            new Share("java.lang", 0.0, 0.2)),
        shares);
  }

  @Test
  void shouldLeaveThePlatformItsShareUnlessFolded() {
    List<Share> shares =
        RankedShares.ofPackages(profile, profile.rows(), new PackageGrouping(2, false));

    assertEquals(new Share("java.util", 0.8, 0.8), shares.getFirst());
  }

  @Test
  void shouldShareByMethodStageAndTask() {
    assertEquals(
        new Share("c.d.Jq.eval", 0.6, 0.8),
        RankedShares.ofMethods(profile, profile.rows(), true).getFirst());
    assertEquals(
        List.of(new Share("kernel", 0.8, 0.8), new Share("invoker", 0.2, 0.2)),
        RankedShares.by(profile.rows(), profileRow -> profileRow.place().stage().label()));
    assertEquals(
        List.of(new Share("/do/0/loop", 0.8, 0.8)),
        RankedShares.by(profile.rows(), profileRow -> profileRow.place().work().task()));
  }

  @Test
  void shouldHaveNoSharesOfNothing() {
    assertEquals(List.of(), RankedShares.ofMethods(profile, List.of(), true));
  }
}
