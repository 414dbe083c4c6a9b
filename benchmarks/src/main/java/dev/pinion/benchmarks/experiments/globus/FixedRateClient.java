package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * One client that sends a request every 10 ms, or as soon as the previous one is answered. Used by
 * one thread.
 */
final class FixedRateClient {
  /** Requests per second. */
  static final int PER_SECOND = 100;

  private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos() / PER_SECOND;

  private final Clock clock;
  private final int requests;

  /**
   * The 99th percentiles of requests.
   *
   * @param sinceDue time from when a request was due to its response, in milliseconds
   * @param sinceSent time from sending a request to its response
   * @param late delay of sending
   */
  record Percentiles(double sinceDue, double sinceSent, double late) {}

  /** Sends a request and waits for its response. */
  @FunctionalInterface
  interface TimedRequest {
    void send() throws IOException, MeasurementException;
  }

  /**
   * A rate.
   *
   * @param time its duration
   */
  FixedRateClient(Clock clock, Duration time) {
    this.clock = clock;
    this.requests = Math.toIntExact(time.toNanos() / INTERVAL_NANOS);
  }

  /** Number of requests. */
  int requests() {
    return requests;
  }

  /** Sends all requests. */
  Percentiles measure(TimedRequest timedRequest) throws IOException, MeasurementException {
    double[] sinceDue = new double[requests];
    double[] sinceSent = new double[requests];
    double[] late = new double[requests];
    long dueNanos = clock.nanoTime();
    for (int i = 0; i < requests; i++) {
      dueNanos += INTERVAL_NANOS;
      await(dueNanos);
      long sentNanos = clock.nanoTime();
      timedRequest.send();
      long answeredNanos = clock.nanoTime();
      late[i] = (sentNanos - dueNanos) / 1e6;
      sinceSent[i] = (answeredNanos - sentNanos) / 1e6;
      sinceDue[i] = (answeredNanos - dueNanos) / 1e6;
    }
    return new Percentiles(p99(sinceDue), p99(sinceSent), p99(late));
  }

  private void await(long nanos) {
    for (long left = nanos - clock.nanoTime(); left > 0; left = nanos - clock.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static double p99(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(sorted.length * 0.99) - 1];
  }
}
