package dev.pinion.workloads.demo;

import java.time.Duration;

/**
 * Settings of a demonstration.
 *
 * @param load duration of the load of each workload, a fifth of it for warm-up
 * @param clients number of its clients
 * @param keep whether engine and stub keep running
 */
public record DemoSettings(Duration load, int clients, boolean keep) {
  /** Duration of the warm-up. */
  Duration warmUp() {
    return load.dividedBy(5);
  }

  /** Measured duration. */
  Duration measured() {
    return load.minus(warmUp());
  }
}
