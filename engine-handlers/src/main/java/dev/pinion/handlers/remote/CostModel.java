package dev.pinion.handlers.remote;

/**
 * Where a handler is better run, by what was measured of it: in a host when the time that it takes
 * here is more than what the way there and back costs. Guarded by itself.
 *
 * <p>Each side is measured {@value #FIRST} times, and the one that loses once more in each {@value
 * #AGAIN} messages, because loads change.
 */
final class CostModel {
  static final int FIRST = 8;
  static final int AGAIN = 256;
  private static final double WEIGHT = 0.1;

  private long messages;
  private int localSamples;
  private int remoteSamples;
  private double localNanos;
  private double overheadNanos;

  /** Whether the next message goes to a host. */
  synchronized boolean goesAway() {
    messages++;
    if (localSamples < FIRST || remoteSamples < FIRST) {
      return localSamples >= FIRST;
    }
    boolean away = localNanos > overheadNanos;
    return messages % AGAIN == 0 ? !away : away;
  }

  /** The handler ran here. */
  synchronized void local(long nanos) {
    localNanos = mixed(localNanos, nanos, localSamples++);
  }

  /** A host has answered, or failed to: how long the message was away. */
  synchronized void remote(long nanos, long ofThatHandling) {
    overheadNanos = mixed(overheadNanos, Math.max(0, nanos - ofThatHandling), remoteSamples++);
  }

  private static double mixed(double before, long sample, int samples) {
    return samples == 0
        ? sample
        : before + Math.max(WEIGHT, 1.0 / (samples + 1)) * (sample - before);
  }

  /** What is known, for people. */
  @Override
  public synchronized String toString() {
    return "here "
        + Math.round(localNanos)
        + " ns ("
        + localSamples
        + "), way to a host and back "
        + Math.round(overheadNanos)
        + " ns ("
        + remoteSamples
        + ")";
  }
}
