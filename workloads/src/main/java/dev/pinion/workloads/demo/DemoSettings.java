package dev.pinion.workloads.demo;

import java.time.Duration;

/**
 * Settings of a demonstration.
 *
 * @param load the time each workload loads the engine, a fifth of it to warm up
 * @param clients clients that do so
 * @param keep whether engine and stub are left running
 */
public record DemoSettings(Duration load, int clients, boolean keep) {
  /** The part of the time that warms up. */
  Duration warmUp() {
    return load.dividedBy(5);
  }

  /** The part of the time that is measured. */
  Duration measured() {
    return load.minus(warmUp());
  }
}
