package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.profile.Shares.Share;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparedTest {
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
            new Compared("steady", List.of(0.6, 0.65), List.of(0.6, 0.65)),
            new Compared("shrinks", List.of(0.3, 0.1), List.of(0.4, 0.1)),
            new Compared("comes", List.of(0.0, 0.25), List.of(0.0, 0.9)),
            new Compared("goes", List.of(0.1, 0.0), List.of(0.1, 0.0))),
        Compared.of(List.of(BEFORE, AFTER)));
  }

  @Test
  void shouldShowTheLargestChangeFirst() {
    List<Compared> changed = Compared.mostChangedFirst(Compared.of(List.of(BEFORE, AFTER)));

    assertEquals(
        List.of("comes", "shrinks", "goes", "steady"),
        changed.stream().map(Compared::name).toList());
    assertEquals(-0.2, changed.get(1).change(), 1e-9);
  }

  @Test
  void shouldKeepTheLargestShareFirstWhereNothingIsCompared() {
    List<Compared> alone = Compared.of(List.of(BEFORE));

    assertEquals(alone, Compared.mostChangedFirst(alone));
  }
}
