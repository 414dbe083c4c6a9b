package dev.pinion.workloads.stub;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * A distribution of service times. Parameters that a kind does not use must be omitted.
 *
 * @param kind kind of distribution
 * @param ms constant: the time; uniform: the middle; exponential and normal: the mean; lognormal:
 *     the median; bimodal: the time of fast responses; 0 to {@link #MAX_MILLIS}
 * @param spreadMs uniform: the largest distance from the middle; normal: the standard deviation
 * @param sigma lognormal: the standard deviation of the logarithm, 0 to {@value #MAX_SIGMA}
 * @param slowMs bimodal: the time of slow responses
 * @param slowShare bimodal: the share of slow responses, 0 to 1
 */
record LatencyModel(
    Kind kind, double ms, double spreadMs, double sigma, double slowMs, double slowShare) {
  /** Longest time of a model, in ms; longer ones are truncated. */
  static final double MAX_MILLIS = StubSettings.MAX_DELAY_SECONDS * 1_000.0;

  /** The largest sigma. */
  static final double MAX_SIGMA = 5;

  enum Kind {
    constant,
    uniform,
    exponential,
    normal,
    lognormal,
    bimodal
  }

  LatencyModel {
    if (kind == null) {
      kind = Kind.constant;
    }
    within("ms", ms, 0, MAX_MILLIS);
    boolean spreads = kind == Kind.uniform || kind == Kind.normal;
    within("spreadMs", spreadMs, 0, spreads ? MAX_MILLIS : 0);
    within("sigma", sigma, 0, kind == Kind.lognormal ? MAX_SIGMA : 0);
    within("slowMs", slowMs, 0, kind == Kind.bimodal ? MAX_MILLIS : 0);
    within("slowShare", slowShare, 0, kind == Kind.bimodal ? 1 : 0);
  }

  static LatencyModel constant(double ms) {
    return new LatencyModel(Kind.constant, ms, 0, 0, 0, 0);
  }

  /** Draws a time in ns, from 0 to the longest one. */
  long nextNanos(RandomGenerator random) {
    double millis =
        switch (kind) {
          case constant -> ms;
          case uniform -> ms + spreadMs * (2 * random.nextDouble() - 1);
          case exponential -> ms * random.nextExponential();
          case normal -> spreadMs == 0 ? ms : random.nextGaussian(ms, spreadMs);
          case lognormal -> ms * Math.exp(sigma * random.nextGaussian());
          case bimodal -> random.nextDouble() < slowShare ? slowMs : ms;
        };
    return (long) (Math.clamp(millis, 0, MAX_MILLIS) * TimeUnit.MILLISECONDS.toNanos(1));
  }

  private static void within(String name, double found, double least, double most) {
    if (!(found >= least && found <= most)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "expected %s from %.0f to %.0f, found %s", name, least, most, found));
    }
  }
}
