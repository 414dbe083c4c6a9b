package dev.pinion.handlers.run;

/** The most messages that may be under way in a chain at once. Guarded by its intake. */
interface ConcurrencyWindow {
  /** The current number; at least 1. */
  int limit();

  /**
   * Adds the sample of a message at its end.
   *
   * @param startedNanos time when it got its permit
   * @param nanos time for which it had the permit
   * @param inFlight number of messages under way at its end, itself included
   * @param dropped whether it failed for lack of time or room
   */
  void sample(long startedNanos, long nanos, int inFlight, boolean dropped);

  /** A constant window. */
  static ConcurrencyWindow fixed(int limit) {
    return new ConcurrencyWindow() {
      @Override
      public int limit() {
        return limit;
      }

      @Override
      public void sample(long startedNanos, long nanos, int inFlight, boolean dropped) {}
    };
  }
}
