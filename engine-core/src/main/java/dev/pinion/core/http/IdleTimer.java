package dev.pinion.core.http;

/**
 * Time of a connection in its phase, and without progress. Time is read by the duty cycle, so a
 * phase begins with the cycle after its cause.
 */
final class IdleTimer {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private boolean running;
  private long sinceNanos;
  private long progressNanos;
  private long mark;

  /** Begins a new phase: its time begins with the next duty cycle. */
  void restart() {
    running = false;
    mark = 0;
  }

  /** Starts the time of a new phase. */
  void tick(long nowNanos) {
    if (!running) {
      running = true;
      sinceNanos = nowNanos;
      progressNanos = nowNanos;
    }
  }

  /** Records the state of progress; any mark other than the last one of this phase is progress. */
  void progress(long nowNanos, long newMark) {
    if (running && newMark != mark) {
      mark = newMark;
      progressNanos = nowNanos;
    }
  }

  /** Milliseconds since the phase began. */
  long millis(long nowNanos) {
    return running ? (nowNanos - sinceNanos) / NANOS_PER_MILLI : 0;
  }

  /** Milliseconds since the phase began or since the last progress. */
  long idleMillis(long nowNanos) {
    return running ? (nowNanos - progressNanos) / NANOS_PER_MILLI : 0;
  }
}
