package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.testbed.LoadTimes;
import java.time.Duration;

/** Extent of an experiment unless single options override it. */
public enum Effort {
  /** Smoke run. */
  QUICK(1, 1, 1, Duration.ZERO, Duration.ofMillis(200)),
  /** Usual run. */
  USUAL(5, 2, 5, LoadTimes.SETTLING, LoadTimes.RAMP),
  /** Run for reliable results. */
  FULL(10, 2, 5, LoadTimes.SETTLING, LoadTimes.RAMP);

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

  /** Measurements of each variant. */
  int rounds() {
    return rounds;
  }

  /** Measured seconds of each round. */
  int seconds() {
    return seconds;
  }

  /** Seconds before the first round. */
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
