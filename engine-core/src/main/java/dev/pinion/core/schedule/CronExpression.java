package dev.pinion.core.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
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

  /** The 29th of February may be 8 years away. */
  private static final int MAX_YEARS = 9;

  private static final int HOURS = 24;
  private static final int LEAP_YEAR = 2028;

  private final String text;
  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet daysOfMonth;
  private final BitSet months;
  private final BitSet daysOfWeek;
  private final boolean eitherDay;

  private CronExpression(String text, List<BitSet> fields, boolean eitherDay) {
    this.text = text;
    this.minutes = fields.get(CronField.MINUTE.ordinal());
    this.hours = fields.get(CronField.HOUR.ordinal());
    this.daysOfMonth = fields.get(CronField.DAY_OF_MONTH.ordinal());
    this.months = fields.get(CronField.MONTH.ordinal());
    this.daysOfWeek = fields.get(CronField.DAY_OF_WEEK.ordinal());
    this.eitherDay = eitherDay;
  }

  /**
   * Reads an expression.
   *
   * @throws CronSyntaxException when it is of another form, or never due
   */
  public static CronExpression parse(String text) throws CronSyntaxException {
    String[] parts = expanded(text.strip()).split("\\s+");
    CronField[] fields = CronField.values();
    if (parts.length != fields.length) {
      throw new CronSyntaxException(
          "expected five fields (minute, hour, day of month, month, day of week), found "
              + (text.isBlank() ? "none" : parts.length + " in \"" + text + "\""));
    }
    List<BitSet> selected = new ArrayList<>();
    for (CronField field : fields) {
      selected.add(field.parse(parts[field.ordinal()]));
    }
    boolean either =
        !parts[CronField.DAY_OF_MONTH.ordinal()].startsWith("*")
            && !parts[CronField.DAY_OF_WEEK.ordinal()].startsWith("*");
    CronExpression expression = new CronExpression(text, selected, either);
    expression.requireDay(parts);
    return expression;
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
  private void requireDay(String[] parts) throws CronSyntaxException {
    if (eitherDay) {
      return; // some day of the week always comes
    }
    int first = daysOfMonth.nextSetBit(0);
    boolean exists = months.stream().anyMatch(month -> first <= lengthOf(month));
    if (!exists) {
      throw new CronSyntaxException(
          "expected a day that exists, found day of month \""
              + parts[CronField.DAY_OF_MONTH.ordinal()]
              + "\" in month \""
              + parts[CronField.MONTH.ordinal()]
              + "\"");
    }
  }

  private static int lengthOf(int month) {
    return LocalDate.of(LEAP_YEAR, month, 1).lengthOfMonth();
  }

  /**
   * The first moment after another at which it is due; null when there is none within nine years.
   */
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

  private boolean isDue(LocalDate day) {
    boolean ofMonth = daysOfMonth.get(day.getDayOfMonth());
    boolean ofWeek = daysOfWeek.get(day.getDayOfWeek().getValue() % 7);
    return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  /** The first due moment of a local day that is after another, or null. */
  private @Nullable Instant firstOn(LocalDate day, Instant after, ZoneRules rules) {
    boolean everyHour = hours.cardinality() == HOURS;
    Instant first = null;
    for (int hour = hours.nextSetBit(0); hour >= 0; hour = hours.nextSetBit(hour + 1)) {
      for (int minute = minutes.nextSetBit(0);
          minute >= 0;
          minute = minutes.nextSetBit(minute + 1)) {
        LocalDateTime local = LocalDateTime.of(day, LocalTime.of(hour, minute));
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
