package dev.pinion.handlers.run;

/** How many messages may be under way in a chain at once. Guarded by the intake that asks it. */
interface Window {
  /** How many, now; at least 1. */
  int limit();

  /**
   * A message has left.
   *
   * @param startedNanos when it got its permit
   * @param nanos how long it had it
   * @param inFlight how many were under way when it left, itself included
   * @param dropped whether it failed for want of time or room
   */
  void sample(long startedNanos, long nanos, int inFlight, boolean dropped);

  /** Always as many. */
  static Window fixed(int limit) {
    return new Window() {
      @Override
      public int limit() {
        return limit;
      }

      @Override
      public void sample(long startedNanos, long nanos, int inFlight, boolean dropped) {}
    };
  }
}
