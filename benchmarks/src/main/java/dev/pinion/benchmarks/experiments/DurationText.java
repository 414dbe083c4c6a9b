package dev.pinion.benchmarks.experiments;

import java.time.Duration;

/** Durations for people. */
public final class DurationText {
  private static final int LONG_SECONDS = 90;

  private DurationText() {}

  /** Seconds up to a minute and a half, then minutes, rounded up. */
  public static String about(Duration time) {
    long seconds = (time.toMillis() + 999) / 1_000;
    return seconds <= LONG_SECONDS ? seconds + " s" : (seconds + 59) / 60 + " min";
  }
}
