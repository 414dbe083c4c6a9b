package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.profile.RankedShares.Share;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparedShareTest {
  private static final List<Share> BEFORE =
      List.of(
          new Share("steady", 0.6, 0.6),
          new Share("shrinks", 0.3, 0.4),
          new Share("goes", 0.1, 0.1));
  private static final List<Share> AFTER =
      List.of(
          new Share("steady", 0.65, 0.65),
          new Share("comes", 0.25, 0.9),
          new Share("shrinks", 0.1, 0.1));

  @Test
  void shouldPutSharesOfOneNameSideBySideTheLargestFirst() {
    assertEquals(
        List.of(
            new ComparedShare("steady", List.of(0.6, 0.65), List.of(0.6, 0.65)),
            new ComparedShare("shrinks", List.of(0.3, 0.1), List.of(0.4, 0.1)),
            new ComparedShare("comes", List.of(0.0, 0.25), List.of(0.0, 0.9)),
            new ComparedShare("goes", List.of(0.1, 0.0), List.of(0.1, 0.0))),
        ComparedShare.of(List.of(BEFORE, AFTER)));
  }

  @Test
  void shouldShowTheLargestChangeFirst() {
    List<ComparedShare> changed =
        ComparedShare.mostChangedFirst(ComparedShare.of(List.of(BEFORE, AFTER)));

    assertEquals(
        List.of("comes", "shrinks", "goes", "steady"),
        changed.stream().map(ComparedShare::name).toList());
    assertEquals(-0.2, changed.get(1).change(), 1e-9);
  }

  @Test
  void shouldKeepTheLargestShareFirstWhereNothingIsCompared() {
    List<ComparedShare> alone = ComparedShare.of(List.of(BEFORE));

    assertEquals(alone, ComparedShare.mostChangedFirst(alone));
  }
}
