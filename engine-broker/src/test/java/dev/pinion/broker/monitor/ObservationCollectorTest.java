package dev.pinion.broker.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallObserver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Observations of several stages, taken together. */
class ObservationCollectorTest {
  private static final BindingTable TABLE =
      new BindingTable(1, "std", Map.of("gold", Map.of(), "std", Map.of()));

  private static final long MICRO = 1_000;
  private static final int CALLS = 200_000;

  private final ObservationCollector observationCollector = new ObservationCollector(() -> TABLE);

  @Test
  void shouldSumWhatStagesObserve() {
    CallObserver kernel = observationCollector.observer();
    CallObserver one = observationCollector.observer();
    CallObserver other = observationCollector.observer();
    kernel.begun("gold");
    kernel.invoked("flights", "gold");
    kernel.ended("gold", 1_500, false);
    other.begun("gold");
    other.invoked("flights", "gold");
    one.called("sky", "gold", 200 * MICRO, true);
    other.called("sky", "gold", 600 * MICRO, false);

    ObservationBatch observationBatch = observationCollector.take();
    ObservationBatch.ServiceSample sky = observationBatch.services().getFirst();
    assertEquals(1, observationBatch.services().size());
    assertEquals(2, sky.tally().count());
    assertEquals(1, sky.tally().failures());
    assertEquals(8e-4, sky.tally().seconds(), 1e-12);
    assertEquals(40e-8, sky.tally().squares(), 1e-15);
    assertEquals(2, sky.micros().getTotalCount());
    assertEquals(600.0, (double) sky.micros().getMaxValue(), 5);
    assertEquals(
        List.of(
            new ObservationBatch.ClassSample(
                "gold", 2, new CallStatistics(1, 1, 1.5, 2.25), Map.of("flights", 2L))),
        observationBatch.classes());
    assertTrue(observationCollector.take().isEmpty(), "what was taken is not told again");
  }

  @Test
  void shouldTakeRoomOnceHoweverManyStagesObserveTheSame() {
    CallObserver one = observationCollector.observer();
    CallObserver other = observationCollector.observer();
    int room = ObservationCollector.MAX_CELLS - 1; // the class takes one
    for (int i = 0; i <= room; i++) {
      one.called("s" + i, null, 0, true);
      other.called("s" + i, null, 0, true);
    }
    ObservationBatch observationBatch = observationCollector.take();
    assertEquals(room, observationBatch.services().size());
    assertTrue(observationBatch.services().stream().allMatch(each -> each.tally().count() == 2));
    assertEquals(2, observationBatch.dropped());
  }

  @Test
  void shouldCountForTheClassThatTheTableSays() {
    AtomicReference<BindingTable> table = new AtomicReference<>(BindingTable.EMPTY);
    ObservationCollector changing = new ObservationCollector(table::get);
    CallObserver stage = changing.observer();
    stage.begun("gold");
    table.set(TABLE);
    stage.begun("gold");
    for (int i = 0; i < 1_000; i++) {
      stage.begun("name " + i);
    }
    assertEquals(
        Map.of("default", 1L, "gold", 1L, "std", 1_000L),
        changing.take().classes().stream()
            .collect(
                Collectors.toMap(
                    ObservationBatch.ClassSample::serviceClass,
                    ObservationBatch.ClassSample::begun)));
  }

  @RepeatedTest(20)
  void shouldCountEachCallOnceWhileOthersTake() throws InterruptedException {
    CallObserver stage = observationCollector.observer();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < CALLS; i++) {
                    stage.called("sky", null, (i % 100) * MICRO, i % 10 > 0);
                  }
                });
    CallStatistics sum = CallStatistics.NONE;
    long times = 0;
    boolean last = false;
    while (!last) {
      last = !writer.isAlive();
      for (ObservationBatch.ServiceSample each : observationCollector.take().services()) {
        assertTrue(each.tally().failures() <= each.tally().count(), "more failures than calls");
        sum = sum.plus(each.tally());
        times += each.micros().getTotalCount();
      }
    }
    writer.join();
    assertEquals(CALLS, sum.count());
    assertEquals(CALLS / 10, sum.failures());
    assertEquals(CALLS * 49.5e-6, sum.seconds(), 1e-6);
    assertEquals(CALLS * 3283.5e-12, sum.squares(), 1e-9);
    assertEquals(CALLS, times);
  }
}
