package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CostModelTest {
  private final CostModel cost = new CostModel();

  private int away(int messages, long localNanos, long overheadNanos) {
    int away = 0;
    for (int i = 0; i < messages; i++) {
      if (cost.goesAway()) {
        away++;
        cost.remote(overheadNanos + localNanos, localNanos);
      } else {
        cost.local(localNanos);
      }
    }
    return away;
  }

  @Test
  void shouldKeepHereWhatTakesLessThanTheWay() {
    assertEquals(CostModel.FIRST + 3, away(1_000, 10_000, 200_000));
  }

  @Test
  void shouldSendAwayWhatTakesMoreThanTheWay() {
    assertEquals(1_000 - CostModel.FIRST - 3, away(1_000, 2_000_000, 200_000));
  }

  @Test
  void shouldNoticeThatLoadsHaveChanged() {
    away(100, 2_000_000, 200_000);
    away(2_000, 2_000_000, 9_000_000); // further ones stay here after a while

    assertTrue(away(1_000, 2_000_000, 9_000_000) < 10, cost.toString());
  }
}
