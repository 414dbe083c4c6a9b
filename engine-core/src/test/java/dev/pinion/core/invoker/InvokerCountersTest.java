package dev.pinion.core.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InvokerCountersTest {
  @Test
  void shouldCountResponsesByClass() {
    InvokerCounters counters = new InvokerCounters();

    IntStream.of(200, 204, 299, 302, 404, 500, 599, 100, 600, 999, 0).forEach(counters::onResponse);

    assertEquals(
        List.of(3L, 1L, 1L, 2L, 4L),
        IntStream.range(0, InvokerCounters.CODE_CLASSES.size())
            .mapToObj(counters::responses)
            .toList());
  }
}
