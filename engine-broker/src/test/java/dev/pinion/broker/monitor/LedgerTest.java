package dev.pinion.broker.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final Histogram NO_TIMES = new Histogram(2);
  private final Ledger ledger = new Ledger();

  private void call(String service, String serviceClass, int times) {
    Tally tally = new Tally(times, 1, times, times);
    ledger.add(new Batch.ServiceSample(service, serviceClass, tally, NO_TIMES));
  }

  @Test
  void shouldSumUpWhatCameSinceTheLastTime() {
    call("sea", "gold", 2);
    call("sky", "gold", 9);
    call("sea", "gold", 3);
    call("sea", "silver", 1);

    assertEquals(
        List.of(
            new Entry("sky", "gold", new Tally(9, 1, 9, 9)),
            new Entry("sea", "gold", new Tally(5, 2, 5, 5)),
            new Entry("sea", "silver", new Tally(1, 1, 1, 1))),
        ledger.take());
    assertEquals(List.of(), ledger.take());
  }

  @Test
  void shouldTellOfThoseWithTheMostCalls() {
    IntStream.range(0, Ledger.MAX_ENTRIES).forEach(i -> call("s" + i, "gold", 2));
    call("rare", "gold", 1);
    call("often", "gold", 3);

    List<Entry> told = ledger.take();
    assertEquals(Ledger.MAX_ENTRIES, told.size());
    assertEquals("often", told.getFirst().service());
    assertEquals(2, told.getLast().tally().count());
  }

  @Test
  void shouldTakeNoMorePairsThanReplicasObserve() {
    IntStream.range(0, Observations.MAX_CELLS).forEach(i -> call("s" + i, "gold", 1));
    call("late", "gold", 9);
    call("s0", "gold", 1);

    List<Entry> told = ledger.take();
    assertEquals(new Entry("s0", "gold", new Tally(2, 2, 2, 2)), told.getFirst());
  }
}
