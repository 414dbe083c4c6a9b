package dev.pinion.broker.binding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WeightedChoiceTest {
  private final Random random = new Random(11);
  private final KroneckerCounters kroneckerCounters = new KroneckerCounters(random::nextLong);

  private int[] dealt(int calls, Double... fractions) {
    WeightedChoice weightedChoice =
        new WeightedChoice(kroneckerCounters.of("gold", "A"), List.of(fractions));
    int[] counts = new int[fractions.length];
    for (int i = 0; i < calls; i++) {
      counts[weightedChoice.next()]++;
    }
    return counts;
  }

  @Test
  void shouldDealByShares() {
    int[] counts = dealt(10_000, 0.5, 0.3, 0.2);
    assertEquals(5_000, counts[0], 5);
    assertEquals(3_000, counts[1], 5);
    assertEquals(2_000, counts[2], 5);
  }

  @Test
  void shouldGiveTheWholeRangeToASingleShare() {
    assertArrayEquals(new int[] {1_000}, dealt(1_000, 1.0));
    assertArrayEquals(new int[] {1_000, 0}, dealt(1_000, 1.0, 0.0));
  }

  @Test
  void shouldGoOnCountingWhenSharesAreReplaced() {
    int first = 0;
    for (int version = 1; version <= 1_000; version++) {
      first += dealt(3, 0.3, 0.7)[0];
    }
    assertEquals(900, first, 5, "counters that began anew would not get there");
  }

  @Test
  void shouldConvertFractionsToTheUnsignedRange() {
    assertEquals(0, WeightedChoice.unsigned(0));
    assertEquals(Long.MIN_VALUE, WeightedChoice.unsigned(0.5), "2^63");
    assertEquals(0x4000000000000000L, WeightedChoice.unsigned(0.25));
    assertEquals(0xC000000000000000L, WeightedChoice.unsigned(0.75));
    assertEquals(-1, WeightedChoice.unsigned(1));
    assertEquals(-1, WeightedChoice.unsigned(1 + 1e-15));
    assertTrue(
        Long.compareUnsigned(WeightedChoice.unsigned(1 - 1e-15), WeightedChoice.unsigned(0.999))
            > 0);
  }
}
