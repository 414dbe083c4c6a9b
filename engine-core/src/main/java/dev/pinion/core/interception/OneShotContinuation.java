package dev.pinion.core.interception;

import java.util.concurrent.atomic.AtomicBoolean;

/** Continuation for the first decision; further ones are ignored. Any thread. */
public final class OneShotContinuation implements Interceptor.Continuation {
  private final Interceptor.Continuation first;
  private final AtomicBoolean ended = new AtomicBoolean();

  /** Wraps a continuation. */
  public OneShotContinuation(Interceptor.Continuation first) {
    this.first = first;
  }

  @Override
  public void end(InterceptionVerdict interceptionVerdict) {
    if (ended.compareAndSet(false, true)) {
      first.end(interceptionVerdict);
    }
  }
}
