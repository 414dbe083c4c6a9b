package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CostModelTest {
  private final CostModel cost = new CostModel();

  private int away(int messages, long localNanos, long overheadNanos) {
    return away(messages, 0, localNanos, overheadNanos);
  }

  private int away(int messages, long size, long localNanos, long overheadNanos) {
    int away = 0;
    for (int i = 0; i < messages; i++) {
      if (cost.goesAway(size)) {
        away++;
        cost.remote(size, overheadNanos + localNanos, localNanos);
      } else {
        cost.local(size, localNanos);
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

    assertTrue(away(1_000, 2_000_000, 9_000_000) < 10, cost.decision(0).reason());
  }

  @Test
  void shouldNotMoveWithinTheMargin() {
    long edge = (long) (200_000 * (1 + CostModel.MARGIN));
    away(1_000, edge - 1_000, 200_000);
    assertEquals(0, cost.moves());

    away(20_000, edge + 5_000, 200_000);
    assertEquals(1, cost.moves());

    away(20_000, 165_000, 200_000); // cheaper here, but not enough
    assertEquals(1, cost.moves());

    away(20_000, 155_000, 200_000);
    assertEquals(2, cost.moves());
  }

  @Test
  void shouldLearnWhatAByteOfTheWayCosts() {
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      long size = random.nextInt(100_000);
      if (cost.goesAway(size)) {
        cost.remote(size, 300_000 + 10 * size + 50_000, 50_000);
      } else {
        cost.local(size, 900_000);
      }
    }

    PlacementDecision small = cost.decision(1_000);
    assertEquals(10, small.wayByteNanos(), 0.1);
    assertEquals(300_000, small.wayMessageNanos(), 5_000);
    // so that small messages go away and large ones stay
    away(1, 1_000, 900_000, 310_000);
    assertTrue(cost.decision(1_000).away(), small.reason());
    away(1, 90_000, 900_000, 1_200_000);
    assertFalse(cost.decision(90_000).away(), cost.decision(90_000).reason());
  }

  @Test
  void shouldNotBelieveASingleOutlier() {
    away(1_000, 50_000, 200_000);
    cost.local(0, 2_000_000_000);

    away(1_000, 50_000, 200_000);
    assertEquals(0, cost.moves(), cost.decision(0).reason());
  }

  @Test
  void shouldSayWhy() {
    assertEquals("here: not measured often enough yet", cost.decision(0).reason());
    away(100, 2_000_000, 200_000);

    assertEquals(
        "in a host: 2000.0 us here is more than the way to a host and back with 0 bytes, 200.0 us"
            + " (200.0 us and 0.00 us for each KiB), by more than 25 %",
        cost.decision(0).reason());
  }

  @Test
  void shouldNotMoveToAndFro() {
    stable(100, Long.getLong("pinion.seed", 20_261_122));
  }

  @Test
  @Tag("long")
  void shouldNotMoveToAndFroForManyLoads() {
    stable(2_000, Long.getLong("pinion.seed", System.nanoTime()));
  }

  /** Whatever the costs, near each other or not, and however noisy: it decides, and stays. */
  private static void stable(int loads, long firstSeed) {
    System.out.println("loads from seed " + firstSeed + " on; -Dpinion.seed=N runs others");
    int messages = 20_000;
    long most = 0;
    int right = 0;
    int clear = 0;
    for (long seed = firstSeed; seed < firstSeed + loads; seed++) {
      Random random = new Random(seed);
      double here = Math.exp(random.nextDouble(8, 16)); // 3 us to 9 ms
      double way = here * Math.exp(random.nextDouble(-1, 1));
      double noise = random.nextDouble(0.6);
      CostModel model = new CostModel();
      for (int i = 0; i < messages; i++) {
        double factor = 1 + noise * random.nextDouble(-1, 1);
        if (random.nextInt(500) == 0) {
          factor *= 100; // a pause
        }
        if (model.goesAway(0)) {
          model.remote(0, (long) (way * factor), 0);
        } else {
          model.local(0, (long) (here * factor));
        }
      }
      most = Math.max(most, model.moves());
      assertTrue(model.moves() <= messages / 2_000, model.moves() + " moves, seed " + seed);
      if (Math.abs(Math.log(here / way)) > 0.7) {
        clear++;
        right += model.decision(0).away() == here > way ? 1 : 0;
      }
    }
    System.out.println(most + " moves at most; right in " + right + " of " + clear);
    assertTrue(clear > 0 && right >= clear * 98 / 100, right + " of " + clear);
  }
}
