package dev.pinion.benchmarks.cli;

import java.time.Duration;

/** Durations for people. */
final class DurationText {
  private static final int LONG_SECONDS = 90;

  private DurationText() {}

  /** Seconds up to a minute and a half, then minutes, rounded up. */
  static String about(Duration time) {
    long seconds = (time.toMillis() + 999) / 1_000;
    return seconds <= LONG_SECONDS ? seconds + " s" : (seconds + 59) / 60 + " min";
  }
}
