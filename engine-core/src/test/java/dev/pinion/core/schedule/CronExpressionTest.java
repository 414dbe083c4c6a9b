package dev.pinion.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronExpressionTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ZoneId LORD_HOWE = ZoneId.of("Australia/Lord_Howe");

  @ParameterizedTest
  @CsvSource({
    "* * * * *,        2026-11-27T10:15:30, 2026-11-27T10:16",
    "* * * * *,        2026-11-27T10:15:00, 2026-11-27T10:16",
    "*/15 * * * *,     2026-11-27T10:15:00, 2026-11-27T10:30",
    "0 0 * * *,        2026-11-27T10:15:00, 2026-11-28T00:00",
    "30 9 * * MON-FRI, 2026-11-27T10:15:00, 2026-11-30T09:30",
    "30 9 * * 1-5,     2026-11-27T09:29:59, 2026-11-27T09:30",
    "0 12 1 jan *,     2026-11-27T10:15:00, 2027-01-01T12:00",
    "0 0 29 2 *,       2026-11-27T10:15:00, 2028-02-29T00:00",
    "0 0 29 2 *,       2096-03-01T00:00:00, 2104-02-29T00:00",
    "0 0 29 2 */7,     2032-03-01T00:00:00, 2060-02-29T00:00",
    "0 0 29 2 */7,     2088-03-01T00:00:00, 2128-02-29T00:00",
    "0 0 31 * *,       2026-11-30T10:15:00, 2026-12-31T00:00",
    "'0 0 31 4,6 1',   2026-11-27T10:15:00, 2027-04-05T00:00",
    "0 0 13 * FRI,     2026-11-27T10:15:00, 2026-12-04T00:00",
    "0 0 13 * FRI,     2026-12-11T10:15:00, 2026-12-13T00:00",
    "0 0 */2 * FRI,    2026-11-27T10:15:00, 2026-12-11T00:00",
    "0 0 * * 0,        2026-11-27T10:15:00, 2026-11-29T00:00",
    "0 0 * * 7,        2026-11-27T10:15:00, 2026-11-29T00:00",
    "0 0 * * SAT-7,    2026-11-28T10:15:00, 2026-11-29T00:00",
    "5/20 8 * * *,     2026-11-27T08:26:00, 2026-11-27T08:45",
    "10-30/10 * * * *, 2026-11-27T08:30:00, 2026-11-27T09:10",
    "59 23 31 12 *,    2026-12-31T23:59:00, 2027-12-31T23:59",
    "@hourly,          2026-11-27T10:15:00, 2026-11-27T11:00",
    "@Daily,           2026-11-27T10:15:00, 2026-11-28T00:00",
    "@midnight,        2026-11-27T10:15:00, 2026-11-28T00:00",
    "@weekly,          2026-11-27T10:15:00, 2026-11-29T00:00",
    "@monthly,         2026-11-27T10:15:00, 2026-12-01T00:00",
    "@yearly,          2026-11-27T10:15:00, 2027-01-01T00:00",
    "@annually,        2026-11-27T10:15:00, 2027-01-01T00:00"
  })
  void shouldFindTheNextMoment(String text, LocalDateTime after, LocalDateTime expected)
      throws CronSyntaxException {
    Instant next = CronExpression.parse(text).next(after.toInstant(ZoneOffset.UTC), ZoneOffset.UTC);

    assertEquals(expected.toInstant(ZoneOffset.UTC), next);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | expected five fields (minute, hour, day of month, month, day of week), found none",
        "* * * * | expected five fields (minute, hour, day of month, month, day of week), found 4 in \"* * * *\"",
        "0 * * * * * | expected five fields (minute, hour, day of month, month, day of week), found 6 in \"0 * * * * *\"",
        "60 * * * * | expected a number from 0 to 59 as minute, found \"60\"",
        "* 24 * * * | expected a number from 0 to 23 as hour, found \"24\"",
        "* * 0 * * | expected a number from 1 to 31 as day of month, found \"0\"",
        "* * * 13 * | expected a number from 1 to 12 or a name such as FEB as month, found \"13\"",
        "* * * FOO * | expected a number from 1 to 12 or a name such as FEB as month, found \"FOO\"",
        "* * * * 8 | expected a number from 0 to 7 or a name such as MON as day of week, found \"8\"",
        "* * * * MON-SUN | expected a range that ascends as day of week, found \"MON-SUN\"",
        "5-1 * * * * | expected a range that ascends as minute, found \"5-1\"",
        "1,,2 * * * * | expected a number from 0 to 59 as minute, found \"\" in \"1,,2\"",
        "*/0 * * * * | expected a step from 1 to 59 as minute, found \"0\" in \"*/0\"",
        "*/99 * * * * | expected a step from 1 to 59 as minute, found \"99\" in \"*/99\"",
        "-1 * * * * | expected a number from 0 to 59 as minute, found \"\" in \"-1\"",
        "1.5 * * * * | expected a number from 0 to 59 as minute, found \"1.5\"",
        "007 * * * * | expected a number from 0 to 59 as minute, found \"007\"",
        "* * ? * * | expected a number from 1 to 31 as day of month, found \"?\"",
        "* * L * * | expected a number from 1 to 31 as day of month, found \"L\"",
        "0 0 30 2 * | expected a day that exists, found day of month \"30\" in month \"2\"",
        "0 0 31 4,6 * | expected a day that exists, found day of month \"31\" in month \"4,6\"",
        "@often | expected one of @annually, @daily, @hourly, @midnight, @monthly, @weekly, @yearly, found \"@often\""
      })
  void shouldNameTheFieldThatIsWrong(String text, String problem) {
    CronSyntaxException refused =
        assertThrows(CronSyntaxException.class, () -> CronExpression.parse(text));

    assertEquals(problem, refused.getMessage());
  }

  @Test
  void shouldRunAtTheEndOfAGapOnTheDayThatSkipsTheTime() throws CronSyntaxException {
    CronExpression cron = CronExpression.parse("30 2 * * *");

    assertEquals(
        List.of("2026-03-28T02:30+01:00", "2026-03-29T03:00+02:00", "2026-03-30T02:30+02:00"),
        times(cron, "2026-03-28T00:00:00Z", BERLIN, 3));
  }

  @Test
  void shouldRunOnceOnTheDayThatRepeatsTheTime() throws CronSyntaxException {
    CronExpression cron = CronExpression.parse("30 2 * * *");

    assertEquals(
        List.of("2026-10-24T02:30+02:00", "2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"),
        times(cron, "2026-10-24T00:00:00Z", BERLIN, 3));
  }

  @Test
  void shouldRunTimesOfOneGapTogether() throws CronSyntaxException {
    CronExpression cron = CronExpression.parse("0,20,40 2,3 * * *");

    assertEquals(
        List.of("2026-03-29T03:00+02:00", "2026-03-29T03:20+02:00", "2026-03-29T03:40+02:00"),
        times(cron, "2026-03-28T23:30:00Z", BERLIN, 3));
  }

  @Test
  void shouldFollowRealTimeWhenEveryHourIsMeant() throws CronSyntaxException {
    CronExpression hourly = CronExpression.parse("@hourly");

    assertEquals(
        List.of("2026-03-29T01:00+01:00", "2026-03-29T03:00+02:00"),
        times(hourly, "2026-03-28T23:30:00Z", BERLIN, 2));
    assertEquals(
        List.of("2026-10-25T02:00+02:00", "2026-10-25T02:00+01:00", "2026-10-25T03:00+01:00"),
        times(hourly, "2026-10-24T23:30:00Z", BERLIN, 3));
  }

  @Test
  void shouldKnowHalfHoursThatClocksSkip() throws CronSyntaxException {
    CronExpression cron = CronExpression.parse("15 2 * * *");

    assertEquals(
        List.of("2026-10-04T02:30+11:00", "2026-10-05T02:15+11:00"),
        times(cron, "2026-10-03T14:00:00Z", LORD_HOWE, 2));
  }

  @Test
  void shouldRunOnceForADayThatACountrySkipped() throws CronSyntaxException {
    CronExpression cron = CronExpression.parse("0 12 * * *");

    assertEquals(
        List.of("2011-12-29T12:00-10:00", "2011-12-31T00:00+14:00", "2011-12-31T12:00+14:00"),
        times(cron, "2011-12-29T20:00:00Z", ZoneId.of("Pacific/Apia"), 3));
  }

  @Test
  void shouldBeDueOnceOnEachLocalDayOfThirtyYears() throws CronSyntaxException {
    long seed = Long.getLong("pinion.seed", System.nanoTime());
    Random random = new Random(seed);
    String text = random.nextInt(60) + " " + random.nextInt(24) + " * * *";
    CronExpression cron = CronExpression.parse(text);
    LocalDate day = LocalDate.of(2010, 1, 1);
    Instant at = day.atStartOfDay(BERLIN).toInstant().minusNanos(1);
    for (; day.getYear() < 2040; day = day.plusDays(1)) {
      at = cron.next(at, BERLIN);
      assertNotNull(at, () -> "seed " + seed);
      assertEquals(day, LocalDate.ofInstant(at, BERLIN), "seed " + seed + ": " + text);
    }
  }

  @Test
  void shouldSelectWhatASearchByMinutesSelects() throws CronSyntaxException {
    long seed = Long.getLong("pinion.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 40; i++) {
      int step = 1 + random.nextInt(59);
      int from = random.nextInt(60);
      Set<Integer> minutes = new HashSet<>();
      for (int minute = from; minute < 60; minute += step) {
        minutes.add(minute);
      }
      int hour = random.nextInt(24);
      int weekday = random.nextInt(7);
      String text = from + "-59/" + step + " " + hour + " * * " + weekday;
      LocalDateTime start = LocalDateTime.of(2026, 1, 1, 0, 0).plusMinutes(random.nextInt(500_000));
      LocalDateTime expected = start.plusMinutes(1);
      while (!(minutes.contains(expected.getMinute())
          && expected.getHour() == hour
          && expected.getDayOfWeek().getValue() % 7 == weekday)) {
        expected = expected.plusMinutes(1);
      }
      Instant next =
          CronExpression.parse(text).next(start.toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
      assertEquals(expected.toInstant(ZoneOffset.UTC), next, "seed " + seed + ": " + text);
    }
  }

  @Test
  void shouldSelectWhatASearchByMinutesSelectsInAZoneWhoseClocksChange()
      throws CronSyntaxException {
    long seed = Long.getLong("pinion.seed", System.nanoTime());
    Random random = new Random(seed);
    CronExpression cron = CronExpression.parse("*/20 5-7,22 * * *"); // no hour that changes
    Instant year = Instant.parse("2026-01-01T00:00:00Z");
    for (int i = 0; i < 200; i++) {
      Instant start = year.plus(Duration.ofMinutes(random.nextInt(525_600)));
      Instant expected = start;
      do {
        expected = expected.plus(Duration.ofMinutes(1));
      } while (!isSelected(expected.atZone(BERLIN).toLocalTime()));
      assertEquals(expected, cron.next(start, BERLIN), "seed " + seed + ": " + start);
    }
  }

  private static boolean isSelected(LocalTime time) {
    int hour = time.getHour();
    return time.getMinute() % 20 == 0 && (hour == 22 || (hour >= 5 && hour <= 7));
  }

  /** In Newfoundland clocks went back by an hour a minute after midnight. */
  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, 2026-03-28T00:00:00Z",
    "Europe/Berlin, 2026-10-24T00:00:00Z",
    "Australia/Lord_Howe, 2026-04-03T00:00:00Z",
    "Australia/Lord_Howe, 2026-10-02T00:00:00Z",
    "America/St_Johns, 2010-03-13T00:00:00Z",
    "America/St_Johns, 2010-11-06T00:00:00Z"
  })
  void shouldFollowRealTimeForDaysAroundAChange(ZoneId zone, Instant start)
      throws CronSyntaxException {
    CronExpression cron = CronExpression.parse("7-59/13 * * * *");
    Instant at = start;
    for (int minute = 1; minute < 4 * 24 * 60; minute++) {
      Instant expected = start.plus(Duration.ofMinutes(minute));
      if (expected.atZone(zone).getMinute() % 13 == 7) {
        assertEquals(expected, cron.next(at, zone));
        at = expected;
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "* * * * *, 1",
    "*/15 * * * *, 15",
    "'0,50 * * * *', 10",
    "@hourly, 60",
    "0 0 * * *, 1440",
    "'0 0,23 * * *', 60",
    "'59 0,23 * * *', 60",
    "30 9 1 1 *, 1440"
  })
  void shouldKnowTheLeastTimeBetweenTimesOfADay(String text, long minutes)
      throws CronSyntaxException {
    assertEquals(Duration.ofMinutes(minutes), CronExpression.parse(text).leastGap());
  }

  @Test
  void shouldAscend() throws CronSyntaxException {
    CronExpression cron = CronExpression.parse("*/7 * * * *");
    Instant at = Instant.parse("2026-10-24T22:00:00Z");
    for (int i = 0; i < 200; i++) {
      Instant next = cron.next(at, BERLIN);
      assertNotNull(next);
      assertTrue(next.isAfter(at));
      assertTrue(Duration.between(at, next).toMinutes() <= 7, next.toString());
      at = next;
    }
  }

  private static List<String> times(CronExpression cron, String after, ZoneId zone, int count) {
    List<String> times = new ArrayList<>();
    Instant at = Instant.parse(after);
    for (int i = 0; i < count; i++) {
      at = cron.next(at, zone);
      assertNotNull(at);
      times.add(at.atZone(zone).toOffsetDateTime().toString());
    }
    return times;
  }
}
