package dev.pinion.handlers.run;

import dev.pinion.core.model.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. */
final class ManualClock implements Clock {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger reads = new AtomicInteger();

  /** Number of readings. */
  int reads() {
    return reads.get();
  }

  void advance(long byNanos) {
    nanos.addAndGet(byNanos);
  }

  @Override
  public long nanoTime() {
    reads.incrementAndGet();
    return nanos.get();
  }

  @Override
  public long epochMillis() {
    return nanos.get() / 1_000_000;
  }

  @Override
  public String scale() {
    return "manual";
  }
}
