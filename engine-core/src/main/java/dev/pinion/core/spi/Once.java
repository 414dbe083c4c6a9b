package dev.pinion.core.spi;

import java.util.concurrent.atomic.AtomicBoolean;

/** Continuation for the first decision; further ones are ignored. Any thread. */
public final class Once implements Around.Continuation {
  private final Around.Continuation first;
  private final AtomicBoolean ended = new AtomicBoolean();

  /** Wraps a continuation. */
  public Once(Around.Continuation first) {
    this.first = first;
  }

  @Override
  public void end(Decision decision) {
    if (ended.compareAndSet(false, true)) {
      first.end(decision);
    }
  }
}
