package dev.pinion.core.http;

/** Bytes of unfinished bodies that all connections of one handler may hold together. */
final class BufferBudget {
  private final int most;
  private long held;

  BufferBudget(int most) {
    this.most = most;
  }

  /** Takes bytes out of the budget; returns false when they do not fit. */
  boolean reserve(int bytes) {
    if (held + bytes > most) {
      return false;
    }
    held += bytes;
    return true;
  }

  void release(long bytes) {
    held -= bytes;
  }

  long held() {
    return held;
  }
}
