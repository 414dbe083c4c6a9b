package dev.pinion.broker.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Classes of times, and their values when taken. */
class LatencyHistogramTest {
  @Test
  void shouldPutEachTimeIntoAClassLessThanOnePercentWide() {
    int before = -1;
    for (long micros = 0; micros <= LatencyHistogram.MAX_MICROS; micros += 1 + micros / 1_000) {
      int index = LatencyHistogram.index(micros);
      assertTrue(index == before || index == before + 1, () -> "a gap below " + index);
      assertEquals((double) micros, (double) LatencyHistogram.middle(index), micros * 0.005);
      before = index;
    }
  }

  @Test
  void shouldGiveWhatCameSinceTheLastTime() {
    LatencyHistogram latencyHistogram = new LatencyHistogram();
    latencyHistogram.add(0);
    latencyHistogram.add(255);
    latencyHistogram.add(1_000);
    assertEquals(3, latencyHistogram.drain().getTotalCount());
    latencyHistogram.add(1_000);
    latencyHistogram.add(LatencyHistogram.MAX_MICROS);
    Histogram since = latencyHistogram.drain();
    assertEquals(2, since.getTotalCount());
    assertEquals(1_000.0, (double) since.getValueAtPercentile(50), 10);
    assertEquals(
        (double) LatencyHistogram.MAX_MICROS,
        (double) since.getMaxValue(),
        LatencyHistogram.MAX_MICROS * 0.01);
    assertEquals(0, latencyHistogram.drain().getTotalCount());
  }
}
