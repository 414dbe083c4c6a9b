package dev.pinion.core.stage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Field fault 2: a flood of connections takes only a part of a loop's time. */
class PaceTest {
  private static final long INTERVAL = 1_000;

  @ParameterizedTest
  @ValueSource(longs = {0, -5_000, Long.MAX_VALUE - 500})
  void shouldWaitAnIntervalAfterEachTime(long start) {
    Pace pace = new Pace(INTERVAL);

    assertEquals(start, pace.earliestNanos(start), "the first time is at once");
    pace.advance(start);

    assertEquals(start + INTERVAL, pace.earliestNanos(start));
    assertEquals(start + INTERVAL, pace.earliestNanos(start + INTERVAL - 1));
    assertEquals(start + INTERVAL, pace.earliestNanos(start + INTERVAL));
    assertEquals(
        start + 3 * INTERVAL, pace.earliestNanos(start + 3 * INTERVAL), "none is saved up");
  }
}
