package dev.pinion.core.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.JournalLimits;
import org.junit.jupiter.api.Test;

class SnapshotScheduleTest {
  private final SnapshotSchedule schedule =
      new SnapshotSchedule(new JournalLimits(1 << 20, 1 << 10, 1_000, 100, 0, 1 << 16, 1 << 16));

  @Test
  void shouldBeDueAfterEnoughRecords() {
    schedule.appended(999);
    assertFalse(schedule.isDue(0));
    schedule.appended(1);
    assertTrue(schedule.isDue(0));
  }

  @Test
  void shouldWaitForManyTimesALargeSnapshot() {
    schedule.recovered(500, 1_999);
    assertFalse(schedule.isDue(0));
    schedule.appended(1);
    assertTrue(schedule.isDue(0));
  }

  @Test
  void shouldMakeOneAtATimeAndCountWhatCameMeanwhile() {
    schedule.appended(1_000);
    schedule.begun();
    schedule.appended(1_500);
    assertFalse(schedule.isDue(0));
    schedule.adopted(10);
    assertEquals(1_500, schedule.logBytes());
    assertTrue(schedule.isDue(0));
  }

  @Test
  void shouldTryAgainLaterAndReportAFailureOnce() {
    schedule.appended(1_000);
    schedule.begun();
    assertTrue(schedule.failed(5));
    assertFalse(schedule.isDue(4 + SnapshotSchedule.RETRY_NANOS));
    assertTrue(schedule.isDue(5 + SnapshotSchedule.RETRY_NANOS));
    schedule.begun();
    assertFalse(schedule.failed(6 + SnapshotSchedule.RETRY_NANOS));
    schedule.begun();
    schedule.adopted(1);
    assertTrue(schedule.failed(0), "the first one again");
  }

  @Test
  void shouldTryAnUrgentOneEverySecondAndSaySo() {
    schedule.begun();
    assertTrue(schedule.failed(5));
    assertTrue(schedule.describeRetries().startsWith("every minute"));
    schedule.requestNow();
    assertFalse(schedule.isDue(4 + SnapshotSchedule.URGENT_RETRY_NANOS));
    assertTrue(schedule.isDue(5 + SnapshotSchedule.URGENT_RETRY_NANOS));
    assertTrue(schedule.describeRetries().startsWith("every second"));
  }

  @Test
  void shouldBeWorthItAtCloseFromABoundOn() {
    schedule.appended(99);
    assertFalse(schedule.isDueAtClose());
    schedule.appended(1);
    assertTrue(schedule.isDueAtClose());
  }
}
