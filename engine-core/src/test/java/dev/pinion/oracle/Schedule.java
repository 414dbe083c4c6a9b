package dev.pinion.oracle;

import org.jspecify.annotations.Nullable;

/**
 * When instances of a process begin by themselves: the first one some days after its deployment,
 * the second one when the first has long ended.
 *
 * @param rule {@code every}, {@code after} or {@code cron}
 * @param overlap what happens while another instance is under way, or null for the default
 * @param firstMillis time until the first one
 */
record Schedule(String rule, @Nullable String overlap, long firstMillis) {
  /** Days between instances, for rules other than those of a clock. */
  static final int DAYS = 3;

  static final String CRON = "cron";

  /** A time of a clock that comes once a year, and its time zone. */
  static final String TIMES = "30 4 17 11 *";

  static final String TIME_ZONE = "Europe/Berlin";

  /** Until that time from 2023-11-14T22:13:20Z, when simulations begin. */
  private static final long CRON_MILLIS = 191_800_000;

  /** A schedule by its rule. */
  static Schedule of(String rule, @Nullable String overlap) {
    return new Schedule(rule, overlap, rule.equals(CRON) ? CRON_MILLIS : DAYS * 86_400_000L);
  }
}
