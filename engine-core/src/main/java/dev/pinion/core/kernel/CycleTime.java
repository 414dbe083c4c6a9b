package dev.pinion.core.kernel;

/** Time of a kernel's present duty cycle, which all of its parts go by. Kernel thread only. */
final class CycleTime {
  private long nowNanos;
  private long epochMillis;

  /** Time before the first duty cycle. */
  CycleTime(long nowNanos) {
    this.nowNanos = nowNanos;
  }

  void advance(long toNanos, long toEpochMillis) {
    nowNanos = toNanos;
    epochMillis = toEpochMillis;
  }

  /** Monotonic time. */
  long nowNanos() {
    return nowNanos;
  }

  /** Wall-clock time. */
  long epochMillis() {
    return epochMillis;
  }
}
