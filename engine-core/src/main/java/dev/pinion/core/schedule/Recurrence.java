package dev.pinion.core.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** Due times of a schedule. All times are milliseconds since the epoch. Immutable. */
public sealed interface Recurrence {
  /** No time. */
  long NONE = 0;

  /** Most due times of a cron expression that are counted one by one. */
  int MAX_COUNTED = 1_000;

  /**
   * The first due time after another time, or {@link #NONE}.
   *
   * @param begun when the schedule began: intervals count from there
   */
  long next(long after, long begun);

  /**
   * Number of due times after a time and up to another one; of a cron expression at most {@link
   * #MAX_COUNTED}.
   *
   * @param begun when the schedule began
   */
  long count(long after, long until, long begun);

  /** The least time from one due time to the next, in milliseconds. */
  long leastMillis();

  /** Keyword of the language. */
  String kind();

  /** The value of the keyword: a duration of ISO 8601, a cron expression, or a name of events. */
  String value();

  /** Whether due times count from the end of the run before. */
  default boolean followsRuns() {
    return false;
  }

  /** Whether runs follow events, and no due times. */
  default boolean followsEvents() {
    return false;
  }

  /** Text that is the same for equal due times only. */
  default String rule() {
    return kind() + " " + value();
  }

  /**
   * At a fixed interval.
   *
   * @param millis the interval, positive
   */
  record Every(long millis) implements Recurrence {
    @Override
    public long next(long after, long begun) {
      return begun + (Math.floorDiv(after - begun, millis) + 1) * millis;
    }

    @Override
    public long count(long after, long until, long begun) {
      return until <= after
          ? 0
          : Math.floorDiv(until - begun, millis) - Math.floorDiv(after - begun, millis);
    }

    @Override
    public long leastMillis() {
      return millis;
    }

    @Override
    public String kind() {
      return "every";
    }

    @Override
    public String value() {
      return Duration.ofMillis(millis).toString();
    }
  }

  /**
   * At the times of a cron expression.
   *
   * @param zone the time zone whose clocks count
   */
  record Cron(CronExpression expression, ZoneId zone) implements Recurrence {
    @Override
    public long next(long after, long begun) {
      Instant next = expression.next(Instant.ofEpochMilli(after), zone);
      return next == null ? NONE : next.toEpochMilli();
    }

    @Override
    public long count(long after, long until, long begun) {
      long counted = 0;
      long due = next(after, begun);
      while (due != NONE && due <= until && counted < MAX_COUNTED) {
        counted++;
        due = next(due, begun);
      }
      return counted;
    }

    @Override
    public long leastMillis() {
      return expression.leastGap().toMillis();
    }

    @Override
    public String kind() {
      return "cron";
    }

    @Override
    public String value() {
      return expression.toString();
    }

    @Override
    public String rule() {
      return kind() + " " + value() + " " + zone;
    }
  }

  /**
   * When events come, whatever the time.
   *
   * @param events text that is the same for the same events only
   */
  record Events(String events) implements Recurrence {
    @Override
    public long next(long after, long begun) {
      return NONE;
    }

    @Override
    public long count(long after, long until, long begun) {
      return 0;
    }

    @Override
    public long leastMillis() {
      return Long.MAX_VALUE;
    }

    @Override
    public String kind() {
      return "on";
    }

    @Override
    public String value() {
      return events;
    }

    @Override
    public boolean followsEvents() {
      return true;
    }
  }

  /**
   * A time after the end of the run before.
   *
   * @param millis the time between, positive
   */
  record After(long millis) implements Recurrence {
    @Override
    public long next(long after, long begun) {
      return after + millis;
    }

    @Override
    public long count(long after, long until, long begun) {
      return 0;
    }

    @Override
    public long leastMillis() {
      return millis;
    }

    @Override
    public String kind() {
      return "after";
    }

    @Override
    public String value() {
      return Duration.ofMillis(millis).toString();
    }

    @Override
    public boolean followsRuns() {
      return true;
    }
  }
}
