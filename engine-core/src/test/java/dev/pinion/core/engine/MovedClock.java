package dev.pinion.core.engine;

import dev.pinion.core.model.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** The clock of the system, moved forward by the test. */
final class MovedClock implements Clock {
  private final Clock system = Clock.system();
  private final AtomicLong movedNanos = new AtomicLong();

  void move(long nanos) {
    movedNanos.addAndGet(nanos);
  }

  @Override
  public String scale() {
    return system.scale();
  }

  @Override
  public long nanoTime() {
    return system.nanoTime() + movedNanos.get();
  }

  @Override
  public long epochMillis() {
    return system.epochMillis();
  }
}
