package dev.pinion.broker.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Classes of times, and their values when taken. */
class TimesTest {
  @Test
  void shouldPutEachTimeIntoAClassLessThanOnePercentWide() {
    int before = -1;
    for (long micros = 0; micros <= Times.MAX_MICROS; micros += 1 + micros / 1_000) {
      int index = Times.index(micros);
      assertTrue(index == before || index == before + 1, () -> "a gap below " + index);
      assertEquals((double) micros, (double) Times.middle(index), micros * 0.005);
      before = index;
    }
  }

  @Test
  void shouldGiveWhatCameSinceTheLastTime() {
    Times times = new Times();
    times.add(0);
    times.add(255);
    times.add(1_000);
    assertEquals(3, times.take().getTotalCount());
    times.add(1_000);
    times.add(Times.MAX_MICROS);
    Histogram since = times.take();
    assertEquals(2, since.getTotalCount());
    assertEquals(1_000.0, (double) since.getValueAtPercentile(50), 10);
    assertEquals((double) Times.MAX_MICROS, (double) since.getMaxValue(), Times.MAX_MICROS * 0.01);
    assertEquals(0, times.take().getTotalCount());
  }
}
