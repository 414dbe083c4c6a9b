package dev.pinion.core.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Points in time that a cron expression selects (crontab(5): minute, hour, day of month, month, day
 * of week). Immutable.
 *
 * <p>A field is {@code *}, or a list of numbers or names, ranges {@code a-b} and steps {@code
 * a-b/n}. When both days are restricted, either suffices. {@code @hourly}, {@code @daily}, {@code
 * @midnight}, {@code @weekly}, {@code @monthly}, {@code @yearly} and {@code @annually} stand for
 * whole expressions.
 *
 * <p>When clocks change, an expression with fixed hours is due once on each local day: a time that
 * the clocks skip is due at the first moment after it, one that they repeat is due the first time.
 * An expression for every hour follows the time that really passes.
 */
public final class CronExpression {
  private static final Map<String, String> MACROS =
      Map.of(
          "@hourly", "0 * * * *",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@weekly", "0 0 * * 0",
          "@monthly", "0 0 1 * *",
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *");

  /** The 29th of February that is a given day of the week may be 40 years away. */
  private static final int MAX_YEARS = 41;

  private static final int FIELDS = 5;
  private static final int HOURS = 24;
  private static final int MINUTES_OF_DAY = 24 * 60;
  private static final int LEAP_YEAR = 2028;

  /** From the start of a day: a change of clocks after it repeats no time of the day. */
  private static final Duration CHANGE_MARGIN = Duration.ofDays(2);

  private final String text;
  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet daysOfMonth;
  private final BitSet months;
  private final BitSet daysOfWeek;
  private final boolean eitherDay;

  /** Reads five fields in their order. */
  private CronExpression(String text, String[] fields) throws CronSyntaxException {
    this.text = text;
    this.minutes = CronField.MINUTE.parse(fields[0]);
    this.hours = CronField.HOUR.parse(fields[1]);
    this.daysOfMonth = CronField.DAY_OF_MONTH.parse(fields[2]);
    this.months = CronField.MONTH.parse(fields[3]);
    this.daysOfWeek = CronField.DAY_OF_WEEK.parse(fields[4]);
    this.eitherDay = !fields[2].startsWith("*") && !fields[4].startsWith("*");
    requireDay(fields[2], fields[3]);
  }

  /**
   * Reads an expression.
   *
   * @throws CronSyntaxException when it is of another form, or never due
   */
  public static CronExpression parse(String text) throws CronSyntaxException {
    String[] parts = expanded(text.strip()).split("\\s+", -1);
    if (parts.length != FIELDS) {
      throw new CronSyntaxException(
          "expected five fields (minute, hour, day of month, month, day of week), found "
              + (text.isBlank() ? "none" : parts.length + " in \"" + text + "\""));
    }
    return new CronExpression(text, parts);
  }

  private static String expanded(String text) throws CronSyntaxException {
    if (!text.startsWith("@")) {
      return text;
    }
    String fields = MACROS.get(text.toLowerCase(Locale.ROOT));
    if (fields == null) {
      throw new CronSyntaxException(
          "expected one of "
              + String.join(", ", MACROS.keySet().stream().sorted().toList())
              + ", found \""
              + text
              + "\"");
    }
    return fields;
  }

  /** Refuses days that no month has, such as the 30th of February. */
  private void requireDay(String days, String inMonths) throws CronSyntaxException {
    if (eitherDay) {
      return; // some day of the week always comes
    }
    int first = daysOfMonth.nextSetBit(0);
    if (months.stream().noneMatch(month -> first <= lengthOf(month))) {
      throw new CronSyntaxException(
          "expected a day that exists, found day of month \""
              + days
              + "\" in month \""
              + inMonths
              + "\"");
    }
  }

  private static int lengthOf(int month) {
    return LocalDate.of(LEAP_YEAR, month, 1).lengthOfMonth();
  }

  /** The first moment after another at which it is due; null when there is none for decades. */
  public @Nullable Instant next(Instant after, ZoneId zone) {
    ZoneRules rules = zone.getRules();
    LocalDate day = LocalDate.ofInstant(after, zone).minusDays(1); // clocks may have gone back
    LocalDate last = day.plusYears(MAX_YEARS);
    while (!day.isAfter(last)) {
      if (!months.get(day.getMonthValue())) {
        day = day.plusMonths(1).withDayOfMonth(1);
        continue;
      }
      Instant due = isDue(day) ? firstOn(day, after, rules) : null;
      if (due != null) {
        return due;
      }
      day = day.plusDays(1);
    }
    return null;
  }

  /** The least time between two times of day that it selects, midnight between them or not. */
  Duration leastGap() {
    int first = -1;
    int before = -1;
    int least = MINUTES_OF_DAY;
    for (int hour = hours.nextSetBit(0); hour >= 0; hour = hours.nextSetBit(hour + 1)) {
      for (int minute = minutes.nextSetBit(0);
          minute >= 0;
          minute = minutes.nextSetBit(minute + 1)) {
        int time = 60 * hour + minute;
        first = first < 0 ? time : first;
        least = before < 0 ? least : Math.min(least, time - before);
        before = time;
      }
    }
    return Duration.ofMinutes(
        first == before ? MINUTES_OF_DAY : Math.min(least, first + MINUTES_OF_DAY - before));
  }

  private boolean isDue(LocalDate day) {
    boolean ofMonth = daysOfMonth.get(day.getDayOfMonth());
    boolean ofWeek = daysOfWeek.get(day.getDayOfWeek().getValue() % 7);
    return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  /** The first due moment of a local day that is after another, or null. */
  private @Nullable Instant firstOn(LocalDate day, Instant after, ZoneRules rules) {
    ZoneOffset offset = constantOffset(day, rules);
    return offset == null
        ? firstOnChangingDay(day, after, rules)
        : firstOnUsualDay(day, LocalDateTime.ofInstant(after, offset), offset);
  }

  /** The offset of a local day on which clocks do not change, nor shortly after; else null. */
  private static @Nullable ZoneOffset constantOffset(LocalDate day, ZoneRules rules) {
    LocalDateTime midnight = day.atStartOfDay();
    List<ZoneOffset> offsets = rules.getValidOffsets(midnight);
    if (offsets.size() != 1) {
      return null;
    }
    ZoneOffset offset = offsets.getFirst();
    Instant start = midnight.toInstant(offset);
    ZoneOffsetTransition change = rules.nextTransition(start.minusSeconds(1));
    boolean changes = change != null && change.getInstant().isBefore(start.plus(CHANGE_MARGIN));
    return changes ? null : offset;
  }

  private @Nullable Instant firstOnUsualDay(LocalDate day, LocalDateTime after, ZoneOffset offset) {
    if (after.toLocalDate().isAfter(day)) {
      return null;
    }
    LocalTime time = after.toLocalTime();
    int from = after.toLocalDate().isBefore(day) ? 0 : 60 * time.getHour() + time.getMinute() + 1;
    int hour = hours.nextSetBit(from / 60);
    int minute = hour == from / 60 ? minutes.nextSetBit(from % 60) : minutes.nextSetBit(0);
    if (minute < 0) {
      hour = hours.nextSetBit(hour + 1);
      minute = minutes.nextSetBit(0);
    }
    return hour < 0 ? null : LocalDateTime.of(day, LocalTime.of(hour, minute)).toInstant(offset);
  }

  private @Nullable Instant firstOnChangingDay(LocalDate day, Instant after, ZoneRules rules) {
    boolean everyHour = hours.cardinality() == HOURS;
    OffsetRange offsets = OffsetRange.of(day, after, rules);
    Instant first = null;
    for (int hour = hours.nextSetBit(offsets.firstHour(day, after));
        hour >= 0;
        hour = hours.nextSetBit(hour + 1)) {
      for (int minute = minutes.nextSetBit(0);
          minute >= 0;
          minute = minutes.nextSetBit(minute + 1)) {
        LocalDateTime local = LocalDateTime.of(day, LocalTime.of(hour, minute));
        if (first != null && !offsets.earliest(local).isBefore(first)) {
          return first;
        }
        for (Instant due : moments(local, rules, everyHour)) {
          if (due.isAfter(after) && (first == null || due.isBefore(first))) {
            first = due;
          }
        }
        if (first != null && !everyHour) {
          return first; // times of a day ascend, and so do their moments
        }
      }
    }
    return first;
  }

  /**
   * The offsets in force on a local day, as far as it lies behind a moment: they tell which times
   * of the day need no look.
   */
  private record OffsetRange(ZoneOffset least, ZoneOffset most) {
    static OffsetRange of(LocalDate day, Instant after, ZoneRules rules) {
      Instant midnight = day.atStartOfDay().toInstant(ZoneOffset.UTC);
      Instant earliest = midnight.minusSeconds(ZoneOffset.MAX.getTotalSeconds());
      Instant from = earliest.isAfter(after) ? earliest : after;
      Instant until = midnight.plus(CHANGE_MARGIN);
      ZoneOffset least = rules.getOffset(from);
      ZoneOffset most = least;
      for (ZoneOffsetTransition change = rules.nextTransition(from);
          change != null && change.getInstant().isBefore(until);
          change = rules.nextTransition(change.getInstant())) {
        ZoneOffset offset = change.getOffsetAfter();
        least = offset.getTotalSeconds() < least.getTotalSeconds() ? offset : least;
        most = offset.getTotalSeconds() > most.getTotalSeconds() ? offset : most;
      }
      return new OffsetRange(least, most);
    }

    /** The first hour of the day with times behind the moment; 24 when the day is over by then. */
    int firstHour(LocalDate day, Instant after) {
      LocalDateTime passed = LocalDateTime.ofInstant(after, least);
      int order = passed.toLocalDate().compareTo(day);
      return order < 0 ? 0 : order > 0 ? HOURS : passed.getHour();
    }

    /** The earliest moment that a local time may mean. */
    Instant earliest(LocalDateTime local) {
      return local.toInstant(most);
    }
  }

  /** Moments of a local time: none or two where clocks change. */
  private static List<Instant> moments(LocalDateTime local, ZoneRules rules, boolean everyHour) {
    List<ZoneOffset> offsets = rules.getValidOffsets(local);
    if (offsets.size() == 1) {
      return List.of(local.toInstant(offsets.getFirst()));
    }
    if (offsets.isEmpty()) {
      ZoneOffsetTransition gap = rules.getTransition(local);
      return everyHour ? List.of() : List.of(gap.getInstant());
    }
    Instant earlier = local.toInstant(offsets.getFirst());
    return everyHour ? List.of(earlier, local.toInstant(offsets.getLast())) : List.of(earlier);
  }

  /** The text. */
  @Override
  public String toString() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CronExpression cron && cron.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}
