package dev.pinion.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Payload;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A schedule by hand: times are milliseconds, and the schedule begins at 1,000,000. */
class ScheduleProgressTest {
  private static final long BEGUN = 1_000_000;
  private static final int MAX_QUEUED = 2;
  private static final ScheduleRule ALLOW = every(OverlapPolicy.ALLOW);
  private static final ScheduleRule SKIP = every(OverlapPolicy.SKIP);
  private static final ScheduleRule QUEUE = every(OverlapPolicy.QUEUE);
  private static final ScheduleRule AFTER =
      new ScheduleRule(new Recurrence.After(10_000), OverlapPolicy.ALLOW);

  private static final ScheduleRule EVENTS =
      new ScheduleRule(new Recurrence.Events("data 1f"), OverlapPolicy.ALLOW);

  private static ScheduleRule every(OverlapPolicy overlap) {
    return new ScheduleRule(new Recurrence.Every(10_000), overlap);
  }

  private static ScheduleProgress begin(ScheduleRule rule) {
    return ScheduleProgress.begin(rule, MAX_QUEUED, Payload.EMPTY_OBJECT, BEGUN);
  }

  /** The same after it was written and read, as between any two events. */
  private static ScheduleProgress again(ScheduleRule rule, ScheduleProgress progress) {
    Payload written = progress.write();
    ScheduleProgress read = ScheduleProgress.read(rule, MAX_QUEUED, written);
    assertEquals(written, read.write());
    return read;
  }

  private static long at(long millis) {
    return BEGUN + millis;
  }

  private static void assertCounts(long runs, long missed, long skipped, ScheduleProgress found) {
    assertEquals(
        List.of(runs, missed, skipped), List.of(found.runs(), found.missed(), found.skipped()));
  }

  @Test
  void shouldPlanTheFirstRunAnIntervalAhead() {
    for (ScheduleRule rule : List.of(ALLOW, SKIP, QUEUE, AFTER)) {
      ScheduleProgress progress = again(rule, begin(rule));

      assertFalse(progress.isWanted());
      assertEquals(at(10_000), progress.due());
      assertEquals(at(10_000), progress.wake());
      assertEquals(at(10_000), progress.upcoming(at(1)));
      assertNull(progress.last());
      assertNull(progress.problem());
      assertCounts(0, 0, 0, progress);
    }
  }

  @Test
  void shouldPlanTheNextRunWhenOneHasBegun() {
    ScheduleProgress progress = begin(ALLOW);
    progress.fire(at(10_001));
    progress = again(ALLOW, progress);
    assertTrue(progress.isWanted());
    assertEquals(at(10_000), progress.due());
    progress.started("i_1", at(10_002), at(10_003));

    progress = again(ALLOW, progress);
    assertFalse(progress.isWanted());
    assertEquals(at(20_000), progress.wake());
    assertEquals(
        new ScheduleProgress.CompletedRun(at(10_000), at(10_002), "i_1", null), progress.last());
    assertCounts(1, 0, 0, progress);
  }

  @Test
  void shouldMissAllButTheFirstOfWhatWasLate() {
    ScheduleProgress progress = begin(ALLOW);
    progress.fire(at(45_000));

    assertEquals(at(10_000), progress.due());
    progress.started("i_1", at(45_000), at(45_001));
    assertEquals(at(50_000), progress.wake());
    assertCounts(1, 3, 0, progress);
    progress.fire(at(50_000));
    progress.started("i_2", at(50_000), at(50_000));
    assertCounts(2, 3, 0, progress);
  }

  @Test
  void shouldCountTimesThatPassWhileARunCannotBegin() {
    ScheduleProgress progress = begin(AFTER);
    progress.fire(at(10_000));
    List<Long> pauses = new ArrayList<>();
    long now = at(10_000);
    for (int i = 0; i < 9; i++) {
      progress.refused("no room", now);
      progress = again(AFTER, progress);
      assertFalse(progress.isWanted());
      assertEquals(at(10_000), progress.due());
      assertEquals("no room", progress.problem());
      pauses.add((progress.wake() - now) / 1_000);
      now = progress.wake();
      progress.fire(now);
    }

    assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L), pauses);
    progress.ended("i_1", now, "COMPLETED", now + 5);
    assertNull(progress.problem());
    assertCounts(1, 0, 0, progress);
    assertEquals(now + 10_005, progress.wake());
  }

  @Test
  void shouldMissARunThatCouldNotBeginBeforeTheNextOne() {
    ScheduleProgress progress = begin(ALLOW);
    progress.fire(at(10_000));
    progress.refused("no room", at(10_000));
    assertEquals(at(11_000), progress.wake());
    progress.fire(at(19_500));
    progress.refused("no room", at(19_500));

    assertEquals(at(20_000), progress.due());
    assertEquals(at(20_000), progress.wake());
    assertCounts(0, 1, 0, progress);
    assertEquals("no room", progress.problem());
  }

  @Test
  void shouldSkipWhatIsDueDuringARun() {
    ScheduleProgress progress = begin(SKIP);
    progress.fire(at(10_000));
    assertEquals(at(40_000), progress.upcoming(at(35_000)));
    progress.ended("i_1", at(10_000), "FAULTED", at(35_000));

    progress = again(SKIP, progress);
    assertEquals(at(40_000), progress.wake());
    assertEquals(
        new ScheduleProgress.CompletedRun(at(10_000), at(10_000), "i_1", "FAULTED"),
        progress.last());
    assertCounts(1, 0, 2, progress);
  }

  @Test
  void shouldSkipNothingThatWasCountedAsMissed() {
    ScheduleProgress progress = begin(SKIP);
    progress.fire(at(25_000));
    progress.ended("i_1", at(25_000), "COMPLETED", at(45_000));

    assertCounts(1, 1, 2, progress); // 20 missed; 30 and 40 skipped
    assertEquals(at(50_000), progress.wake());
  }

  @Test
  void shouldQueueWhatIsDueDuringARunAndSkipTheRest() {
    ScheduleProgress progress = begin(QUEUE);
    progress.fire(at(10_000));
    progress.ended("i_1", at(10_000), "COMPLETED", at(55_000));
    progress = again(QUEUE, progress);
    assertEquals(at(20_000), progress.due());
    assertEquals(at(20_000), progress.wake(), "at once");
    assertCounts(1, 0, 2, progress); // 40 and 50

    progress.fire(at(55_000));
    assertCounts(1, 0, 2, progress);
    progress.ended("i_2", at(55_000), "COMPLETED", at(56_000));
    progress = again(QUEUE, progress);
    assertEquals(at(30_000), progress.due());
    progress.fire(at(56_000));
    progress.ended("i_3", at(56_000), "COMPLETED", at(57_000));
    assertEquals(at(60_000), progress.due());
    assertCounts(3, 0, 2, progress);
  }

  @Test
  void shouldPassOverWhatWasDueBeforeItIsResumed() {
    ScheduleProgress progress = begin(ALLOW);
    progress.resume(at(35_000));

    assertEquals(at(40_000), progress.wake());
    assertCounts(0, 0, 0, progress);
    progress.fire(at(40_000));
    assertCounts(0, 0, 0, progress);
  }

  @Test
  void shouldPassOverWhatIsQueuedWhenItIsResumed() {
    ScheduleProgress progress = begin(QUEUE);
    progress.fire(at(10_000));
    progress.ended("i_1", at(10_000), "COMPLETED", at(55_000));
    progress.resume(at(58_000));

    assertEquals(at(60_000), progress.due());
    assertCounts(1, 0, 3, progress);
  }

  @Test
  void shouldKeepARunThatIsUnderWayWhenItIsResumed() {
    ScheduleProgress progress = begin(SKIP);
    progress.fire(at(10_000));
    progress.resume(at(35_000));
    assertTrue(progress.isWanted());
    assertEquals(at(10_000), progress.due());
    progress.ended("i_1", at(10_000), "COMPLETED", at(45_000));

    assertCounts(1, 0, 1, progress); // 40, behind the pause
    assertEquals(at(50_000), progress.wake());
  }

  @Test
  void shouldKnowNoNextTimeWhileItWaitsForAnEnd() {
    ScheduleProgress progress = begin(AFTER);
    progress.fire(at(10_000));

    assertEquals(Recurrence.NONE, progress.upcoming(at(15_000)));
  }

  @Test
  void shouldGoOnWithTheSameRule() {
    ScheduleProgress before = begin(ALLOW);
    before.fire(at(10_000));
    before.started("i_1", at(10_000), at(10_000));
    ScheduleProgress progress =
        ScheduleProgress.begin(SKIP, MAX_QUEUED, before.write(), at(13_000));

    assertEquals(at(20_000), progress.wake(), "other overlap, same times");
    assertCounts(1, 0, 0, progress);
    assertEquals(before.last(), progress.last());
  }

  @Test
  void shouldPlanAnewWithAnotherRule() {
    ScheduleProgress before = begin(ALLOW);
    before.fire(at(10_000));
    before.started("i_1", at(10_000), at(10_000));
    ScheduleRule other = new ScheduleRule(new Recurrence.Every(3_000), OverlapPolicy.ALLOW);
    ScheduleProgress progress =
        ScheduleProgress.begin(other, MAX_QUEUED, before.write(), at(13_000));

    assertEquals(at(16_000), progress.wake());
    assertCounts(1, 0, 0, progress);
  }

  @Test
  void shouldLeaveARunOfAnOlderVersionAlone() {
    ScheduleProgress before = begin(QUEUE);
    before.fire(at(10_000));
    ScheduleProgress progress =
        ScheduleProgress.begin(QUEUE, MAX_QUEUED, before.write(), at(25_000));

    assertFalse(progress.isWanted());
    assertEquals(at(30_000), progress.wake());
    assertCounts(0, 0, 0, progress);
  }

  @Test
  void shouldCountARunThatASuccessorIsNotToldOf() {
    ScheduleProgress before = begin(SKIP);
    before.fire(at(10_000));
    before.left("i_1", at(10_001));
    ScheduleProgress progress =
        ScheduleProgress.begin(SKIP, MAX_QUEUED, before.write(), at(15_000));

    assertFalse(progress.isWanted());
    assertEquals(at(20_000), progress.wake());
    assertEquals(
        new ScheduleProgress.CompletedRun(at(10_000), at(10_001), "i_1", null), progress.last());
    assertCounts(1, 0, 0, progress);
  }

  @Test
  void shouldKeepWhatIsQueuedForASuccessor() {
    ScheduleProgress before = begin(QUEUE);
    before.fire(at(10_000));
    before.ended("i_1", at(10_000), "COMPLETED", at(55_000)); // 20 is next, 30 waits
    ScheduleProgress progress =
        ScheduleProgress.begin(QUEUE, MAX_QUEUED, before.write(), at(55_000));
    assertEquals(at(20_000), progress.due());
    progress.fire(at(55_000));
    progress.ended("i_2", at(55_000), "COMPLETED", at(56_000));

    assertEquals(at(30_000), progress.due());
    assertCounts(2, 0, 2, progress);
  }

  @Test
  void shouldSkipWhatIsQueuedWhenASuccessorQueuesNothing() {
    ScheduleProgress before = begin(QUEUE);
    before.fire(at(10_000));
    before.ended("i_1", at(10_000), "COMPLETED", at(55_000));
    ScheduleProgress progress =
        ScheduleProgress.begin(SKIP, MAX_QUEUED, before.write(), at(55_000));

    assertEquals(at(20_000), progress.due(), "still due");
    assertCounts(1, 0, 3, progress);
  }

  @Test
  void shouldCountFromNowWhenTheClockWasFarAheadDuringARun() {
    long wrong = at(ScheduleProgress.MOST_PATIENCE_MILLIS + 40_000);
    for (ScheduleRule rule : List.of(ALLOW, SKIP, QUEUE)) {
      ScheduleProgress progress = begin(rule);
      progress.fire(wrong);
      progress = again(rule, progress);
      progress.ended("i_1", wrong, "COMPLETED", at(25_000));

      assertEquals(at(30_000), progress.wake(), () -> "overlap " + rule.overlap());
    }
  }

  @Test
  void shouldWaitForAClockThatWasALittleAheadDuringARun() {
    long wrong = at(ScheduleProgress.MOST_PATIENCE_MILLIS + 20_000);
    ScheduleProgress progress = begin(SKIP);
    progress.fire(wrong);
    progress.ended("i_1", wrong, "COMPLETED", at(25_000));

    assertEquals(wrong + 10_000, progress.wake());
  }

  @Test
  void shouldBeginARefusedRunSoonWhenTheClockWasFarAhead() {
    long wrong = at(ScheduleProgress.MOST_PATIENCE_MILLIS + 40_000);
    ScheduleProgress progress = begin(ALLOW);
    progress.fire(wrong);
    progress.refused("no room", at(25_000));
    assertEquals(at(26_000), progress.wake());
    progress.fire(at(26_000));
    progress.started("i_1", at(26_000), at(26_000));

    assertEquals(at(30_000), progress.wake());
  }

  @Test
  void shouldCountFromNowWhenTheClockOfItsPredecessorWasFarAhead() {
    long wrong = at(ScheduleProgress.MOST_PATIENCE_MILLIS + 40_000);
    ScheduleProgress before = begin(ALLOW);
    before.fire(wrong);
    before.started("i_1", wrong, wrong);
    ScheduleProgress progress =
        ScheduleProgress.begin(ALLOW, MAX_QUEUED, before.write(), at(25_000));

    assertEquals(at(30_000), progress.wake());
  }

  @Test
  void shouldForgetAProblemOfAnOlderVersion() {
    ScheduleProgress before = begin(ALLOW);
    before.fire(at(10_000));
    before.refused("disabled", at(10_000));
    ScheduleProgress progress =
        ScheduleProgress.begin(ALLOW, MAX_QUEUED, before.write(), at(10_500));

    assertNull(progress.problem());
    assertEquals(at(10_000), progress.due(), "still due");
    assertEquals(at(11_000), progress.wake());
  }

  @Test
  void shouldWaitForEventsOnly() {
    ScheduleProgress progress = again(EVENTS, begin(EVENTS));
    assertTrue(progress.isIdle());
    assertEquals(Recurrence.NONE, progress.upcoming(at(1)));

    progress.want(at(5));
    progress = again(EVENTS, progress);
    assertTrue(progress.isWanted());
    assertEquals(at(5), progress.due());
    progress.started("i_1", at(6), at(7));
    progress = again(EVENTS, progress);
    assertTrue(progress.isIdle());
    assertEquals(new ScheduleProgress.CompletedRun(at(5), at(6), "i_1", null), progress.last());
    assertCounts(1, 0, 0, progress);
  }

  @Test
  void shouldTryTheRunOfEventsAgainUntilItBegins() {
    ScheduleProgress progress = begin(EVENTS);
    progress.want(at(5));
    progress.refused("no room", at(10));
    progress = again(EVENTS, progress);
    assertFalse(progress.isIdle());
    assertEquals(at(1_010), progress.wake());
    progress.fire(at(1_010));
    assertTrue(progress.isWanted());
    assertEquals(at(5), progress.due());
    progress.refused("no room", at(1_010));
    assertEquals(at(3_010), progress.wake());
    progress.resume(at(2_000));
    assertTrue(progress.isIdle(), "who keeps the events wants it again");
    assertCounts(0, 0, 0, progress);
  }

  @Test
  void shouldCountEventsWithoutARun() {
    ScheduleProgress progress = begin(EVENTS);
    progress.leaveOut(null);
    progress.leaveOut("too many");
    progress.leaveOut(null);

    progress = again(EVENTS, progress);
    assertCounts(0, 1, 2, progress);
    assertEquals("too many", progress.problem());
  }

  @Test
  void shouldWantNothingThatAnOlderVersionWanted() {
    ScheduleProgress before = begin(EVENTS);
    before.want(at(5));
    before.listenSince(at(3));
    ScheduleProgress progress = ScheduleProgress.begin(EVENTS, MAX_QUEUED, before.write(), at(10));

    assertTrue(progress.isIdle());
    assertEquals(at(3), progress.since());
    assertTrue(ScheduleProgress.hasRule(EVENTS, before.write()));
    assertFalse(ScheduleProgress.hasRule(ALLOW, before.write()));
  }

  @Test
  void shouldPutARunOffForAWhile() {
    ScheduleProgress progress = begin(EVENTS);
    progress.want(at(5));
    progress.postpone(at(10));

    assertFalse(progress.isWanted());
    assertFalse(progress.isIdle());
    assertEquals(at(1_010), progress.wake());
  }

  @Test
  void shouldFollowAClockThroughItsChanges() throws CronSyntaxException {
    ZoneId zone = ZoneId.of("Europe/Berlin");
    ScheduleRule rule =
        new ScheduleRule(
            new Recurrence.Cron(CronExpression.parse("30 2 * * *"), zone), OverlapPolicy.ALLOW);
    ScheduleProgress progress =
        ScheduleProgress.begin(
            rule, MAX_QUEUED, Payload.EMPTY_OBJECT, millis("2026-03-28T12:00:00Z"));
    List<String> due = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      progress.fire(progress.wake());
      progress.started("i", progress.due(), progress.due());
      progress = again(rule, progress);
      due.add(Instant.ofEpochMilli(Objects.requireNonNull(progress.last()).due()).toString());
    }

    assertEquals(
        List.of("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z"), due);
  }

  @Test
  void shouldCountTheNightsOfAnOutageOverAChangeOfClocks() throws CronSyntaxException {
    ZoneId zone = ZoneId.of("Europe/Berlin");
    ScheduleRule rule =
        new ScheduleRule(
            new Recurrence.Cron(CronExpression.parse("30 2 * * *"), zone), OverlapPolicy.ALLOW);
    ScheduleProgress progress =
        ScheduleProgress.begin(
            rule, MAX_QUEUED, Payload.EMPTY_OBJECT, millis("2026-10-23T12:00:00Z"));
    progress.fire(millis("2026-10-26T12:00:00Z"));

    assertEquals(millis("2026-10-24T00:30:00Z"), progress.due());
    assertCounts(0, 2, 0, progress);
  }

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }
}
