package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class StageScheduleTest {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;

  @Test
  void shouldKeepTinyStepsOnOneWorker() {
    StageSchedule tiny = StageSchedule.best(new double[] {MICRO, MICRO, MICRO}, 3, 20 * MICRO);

    assertEquals(List.of(List.of(0, 1, 2)), tiny.batches());
    assertEquals(3.0 * MICRO, tiny.nanos());
  }

  @Test
  void shouldDealLongStepsToSeveral() {
    // the fourth configuration of the DHArch paper: 2 ms, 2 ms | 0.5 ms, 0.3 ms
    StageSchedule two = StageSchedule.best(new double[] {2 * MILLI, 2 * MILLI}, 2, 20 * MICRO);

    assertEquals(List.of(List.of(0), List.of(1)), two.batches());
    assertEquals(2 * MILLI + 20 * MICRO, two.nanos());
  }

  @Test
  void shouldPutShortStepsTogetherBesideALongOne() {
    double[] times = {2 * MILLI, 500 * MICRO, 300 * MICRO, 200 * MICRO};

    StageSchedule schedule = StageSchedule.best(times, 4, 20 * MICRO);

    assertEquals(List.of(List.of(0), List.of(1, 2, 3)), schedule.batches());
    assertEquals(2.0 * MILLI, schedule.nanos());
  }

  @Test
  void shouldUseNoMoreWorkersThanThereAre() {
    double[] times = {MILLI, MILLI, MILLI, MILLI};

    assertEquals(2, StageSchedule.best(times, 2, 0).batches().size());
    assertEquals(4, StageSchedule.best(times, 8, 0).batches().size());
    assertEquals(1, StageSchedule.best(times, 1, 0).batches().size());
  }

  @Test
  void shouldNotDealForLessThanATenth() {
    assertEquals(1, StageSchedule.best(new double[] {MILLI, 50 * MICRO}, 2, 0).batches().size());
    assertTrue(StageSchedule.best(new double[] {MILLI, 200 * MICRO}, 2, 0).batches().size() == 2);
  }

  @Test
  void shouldDealNothing() {
    assertEquals(List.of(), StageSchedule.best(new double[0], 2, 0).batches());
  }
}
