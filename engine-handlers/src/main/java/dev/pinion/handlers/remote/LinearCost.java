package dev.pinion.handlers.remote;

/**
 * A cost for each message and for each of its bytes, fitted to measurements: least squares with
 * weights that fade. Not for use by several threads at once.
 *
 * <p>A sample far above the expectation (a pause of the JVM, a lost frame) counts only as {@value
 * #OUTLIER} times that: a cost that has really risen is reached after some samples, a single one
 * does not decide.
 */
final class LinearCost {
  private static final double FADING = 0.9;
  private static final double OUTLIER = 2;
  // Below this spread of sizes (in bytes, squared) a slope would be noise.
  private static final double LEAST_VARIANCE = 64 * 64;

  private int samples;
  private double weight;
  private double bytes;
  private double nanos;
  private double bytesSquared;
  private double bytesNanos;

  /** Adds a measurement for a message of a size. */
  void add(long size, long measured) {
    double counted =
        samples == 0
            ? (double) measured
            : Math.min((double) measured, OUTLIER * Math.max(1, at(size)));
    // At first like a mean of all, so that the first sample does not count for long.
    double fade = Math.min(FADING, (double) samples / (samples + 1));
    samples++;
    weight = fade * weight + 1;
    bytes = fade * bytes + size;
    nanos = fade * nanos + counted;
    bytesSquared = fade * bytesSquared + (double) size * size;
    bytesNanos = fade * bytesNanos + size * counted;
  }

  int samples() {
    return samples;
  }

  /** Cost of each byte, in nanoseconds; 0 while all sizes were about the same. */
  double perByte() {
    double variance = variance();
    if (variance < LEAST_VARIANCE) {
      return 0;
    }
    double covariance = bytesNanos / weight - (bytes / weight) * (nanos / weight);
    double most = bytes == 0 ? 0 : nanos / bytes; // no cost of a message is negative
    return Math.clamp(covariance / variance, 0, most);
  }

  private double variance() {
    return weight == 0 ? 0 : bytesSquared / weight - (bytes / weight) * (bytes / weight);
  }

  /** Cost of a message without its bytes, in nanoseconds. */
  double perMessage() {
    return weight == 0 ? 0 : (nanos - perByte() * bytes) / weight;
  }

  /** The expected cost of a message of a size, in nanoseconds. */
  double at(long size) {
    return perMessage() + perByte() * size;
  }
}
