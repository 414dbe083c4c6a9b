package dev.pinion.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecurrenceTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static Recurrence.Cron cron(String text, ZoneId zone) throws CronSyntaxException {
    return new Recurrence.Cron(CronExpression.parse(text), zone);
  }

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 1000, 11000",
    "1000, 10999, 11000",
    "1000, 11000, 21000",
    "1000, 55555, 61000",
    "1000, -29000, -19000"
  })
  void shouldCountIntervalsFromTheBeginning(long begun, long after, long next) {
    assertEquals(next, new Recurrence.Every(10_000).next(after, begun));
  }

  @ParameterizedTest
  @CsvSource({
    "10000, 35000, 2",
    "9999, 10000, 1",
    "10000, 10000, 0",
    "10000, 19999, 0",
    "35000, 10000, 0",
    "0, 1000000000000, 100000000"
  })
  void shouldCountTheIntervalsThatHavePassed(long after, long until, long count) {
    assertEquals(count, new Recurrence.Every(10_000).count(after, until, 0));
  }

  @Test
  void shouldCountTimesOfAClockUpToABound() throws CronSyntaxException {
    Recurrence.Cron minutely = cron("* * * * *", ZoneOffset.UTC);
    long from = millis("2026-11-27T10:00:00Z");

    assertEquals(0, minutely.count(from, from, 0));
    assertEquals(60, minutely.count(from, from + Duration.ofHours(1).toMillis(), 0));
    assertEquals(
        Recurrence.MAX_COUNTED, minutely.count(from, from + Duration.ofDays(9).toMillis(), 0));
  }

  @Test
  void shouldFollowTheClockOfItsZoneWhenClocksChange() throws CronSyntaxException {
    Recurrence.Cron nightly = cron("30 2 * * *", BERLIN);
    long spring = millis("2026-03-28T12:00:00Z");
    long autumn = millis("2026-10-24T12:00:00Z");

    assertEquals(millis("2026-03-29T01:00:00Z"), nightly.next(spring, 0), "the skipped time");
    assertEquals(millis("2026-10-25T00:30:00Z"), nightly.next(autumn, 0), "the first of two");
    assertEquals(3, nightly.count(spring, spring + Duration.ofDays(3).toMillis(), 0));
    assertEquals(3, nightly.count(autumn, autumn + Duration.ofDays(3).toMillis(), 0));
  }

  @Test
  void shouldCountNothingThatFollowsRuns() {
    Recurrence.After after = new Recurrence.After(10_000);

    assertEquals(17_000, after.next(7_000, 1));
    assertEquals(0, after.count(0, 1_000_000, 0));
    assertTrue(after.followsRuns());
    assertFalse(new Recurrence.Every(1).followsRuns());
  }

  @Test
  void shouldTellItsRule() throws CronSyntaxException {
    Recurrence.Cron cron = cron("0 9 * * MON", BERLIN);

    assertEquals(
        List.of("every", "PT1M30S"),
        List.of(new Recurrence.Every(90_000).kind(), new Recurrence.Every(90_000).value()));
    assertEquals("after PT0.02S", new Recurrence.After(20).rule());
    assertEquals("cron", cron.kind());
    assertEquals("0 9 * * MON", cron.value());
    assertNotEquals(cron.rule(), cron("0 9 * * MON", ZoneOffset.UTC).rule());
  }

  @Test
  void shouldKnowTheLeastTimeBetweenRuns() throws CronSyntaxException {
    assertEquals(20, new Recurrence.Every(20).leastMillis());
    assertEquals(30, new Recurrence.After(30).leastMillis());
    assertEquals(60_000, cron("* * * * *", BERLIN).leastMillis());
  }

  @Test
  void shouldHaveNoDueTimesWhereRunsFollowEvents() {
    Recurrence events = new Recurrence.Events("data 1f");

    assertTrue(events.followsEvents());
    assertFalse(events.followsRuns());
    assertEquals(Recurrence.NONE, events.next(5, 0));
    assertEquals(0, events.count(0, Long.MAX_VALUE, 0));
    assertEquals("on data 1f", events.rule());
    assertEquals(Long.MAX_VALUE, events.leastMillis());
  }

  @Test
  void shouldAwaitRunsWhereTheirEndDecides() {
    Recurrence every = new Recurrence.Every(1_000);

    assertFalse(new ScheduleRule(every, OverlapPolicy.ALLOW).awaitsRuns());
    assertTrue(new ScheduleRule(every, OverlapPolicy.SKIP).awaitsRuns());
    assertTrue(new ScheduleRule(every, OverlapPolicy.QUEUE).awaitsRuns());
    assertTrue(new ScheduleRule(new Recurrence.After(1), OverlapPolicy.ALLOW).awaitsRuns());
  }

  @Test
  void shouldNameOverlapsAsDocumentsDo() {
    assertEquals(List.of("allow", "skip", "queue"), OverlapPolicy.labels());
    for (OverlapPolicy policy : OverlapPolicy.values()) {
      assertEquals(policy, OverlapPolicy.of(policy.label()));
    }
  }
}
