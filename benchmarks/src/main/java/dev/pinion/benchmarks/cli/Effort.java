package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bench.LoadSettings;
import java.time.Duration;

/** How much an experiment does unless single options say otherwise. */
enum Effort {
  /** To see that it works. */
  QUICK(1, 1, 1, Duration.ZERO, Duration.ofMillis(200)),
  /** To look. */
  USUAL(5, 2, 5, LoadSettings.SETTLING, LoadSettings.RAMP),
  /** To be believed. */
  FULL(10, 2, 5, LoadSettings.SETTLING, LoadSettings.RAMP);

  private final int rounds;
  private final int seconds;
  private final int warmUpSeconds;
  private final Duration settling;
  private final Duration ramp;

  Effort(int rounds, int seconds, int warmUpSeconds, Duration settling, Duration ramp) {
    this.rounds = rounds;
    this.seconds = seconds;
    this.warmUpSeconds = warmUpSeconds;
    this.settling = settling;
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

  /** Most time at full load before the first round. */
  Duration settling() {
    return settling;
  }

  /** Time at full load before each measurement. */
  Duration ramp() {
    return ramp;
  }
}
