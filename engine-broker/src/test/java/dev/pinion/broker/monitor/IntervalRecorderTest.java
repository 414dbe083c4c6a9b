package dev.pinion.broker.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class IntervalRecorderTest {
  private static final Histogram NO_TIMES = new Histogram(2);
  private final IntervalRecorder intervalRecorder = new IntervalRecorder();

  private void call(String service, String serviceClass, int times) {
    CallStatistics callStatistics = new CallStatistics(times, 1, times, times);
    intervalRecorder.add(
        new ObservationBatch.ServiceSample(service, serviceClass, callStatistics, NO_TIMES));
  }

  @Test
  void shouldSumUpWhatCameSinceTheLastTime() {
    call("sea", "gold", 2);
    call("sky", "gold", 9);
    call("sea", "gold", 3);
    call("sea", "silver", 1);

    assertEquals(
        List.of(
            new IntervalStatistics("sky", "gold", new CallStatistics(9, 1, 9, 9)),
            new IntervalStatistics("sea", "gold", new CallStatistics(5, 2, 5, 5)),
            new IntervalStatistics("sea", "silver", new CallStatistics(1, 1, 1, 1))),
        intervalRecorder.take());
    assertEquals(List.of(), intervalRecorder.take());
  }

  @Test
  void shouldTellOfThoseWithTheMostCalls() {
    IntStream.range(0, IntervalRecorder.MAX_ENTRIES).forEach(i -> call("s" + i, "gold", 2));
    call("rare", "gold", 1);
    call("often", "gold", 3);

    List<IntervalStatistics> told = intervalRecorder.take();
    assertEquals(IntervalRecorder.MAX_ENTRIES, told.size());
    assertEquals("often", told.getFirst().service());
    assertEquals(2, told.getLast().tally().count());
  }

  @Test
  void shouldTakeNoMorePairsThanReplicasObserve() {
    IntStream.range(0, ObservationCollector.MAX_CELLS).forEach(i -> call("s" + i, "gold", 1));
    call("late", "gold", 9);
    call("s0", "gold", 1);

    List<IntervalStatistics> told = intervalRecorder.take();
    assertEquals(
        new IntervalStatistics("s0", "gold", new CallStatistics(2, 2, 2, 2)), told.getFirst());
  }
}
