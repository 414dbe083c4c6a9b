package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bench.LoadSettings;
import java.time.Duration;

/** How much an experiment does unless single options say otherwise. */
enum Effort {
  /** To see that it works. */
  QUICK(2, 1, 1, Duration.ofMillis(200)),
  /** To look. */
  USUAL(5, 4, 5, LoadSettings.RAMP),
  /** To be believed. */
  FULL(10, 4, 5, LoadSettings.RAMP);

  private final int rounds;
  private final int seconds;
  private final int warmUpSeconds;
  private final Duration ramp;

  Effort(int rounds, int seconds, int warmUpSeconds, Duration ramp) {
    this.rounds = rounds;
    this.seconds = seconds;
    this.warmUpSeconds = warmUpSeconds;
    this.ramp = ramp;
  }

  /** How often each variant is measured. */
  int rounds() {
    return rounds;
  }

  /** Time that is measured in each round. */
  int seconds() {
    return seconds;
  }

  /** Time before the first round. */
  int warmUpSeconds() {
    return warmUpSeconds;
  }

  /** Time at full load before each measurement. */
  Duration ramp() {
    return ramp;
  }
}
