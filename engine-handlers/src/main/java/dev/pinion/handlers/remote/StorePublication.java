package dev.pinion.handlers.remote;

import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One message to be stored by a server, from the requester's side: sent again, with the same id,
 * until the server confirms it. Guarded by itself.
 */
final class StorePublication {
  private final Supplier<CompletableFuture<?>> publishing;
  private final long bytes;
  private final long deadlineNanos;
  private final long pauseNanos;
  private final AsyncHandler.Reply reply;
  private @Nullable CompletableFuture<?> pending;
  private long nextNanos;
  private String last = "no connection";
  private boolean ended;

  /**
   * A message that is not sent yet.
   *
   * @param publishing sends it, each time with the same id
   */
  StorePublication(
      Supplier<CompletableFuture<?>> publishing,
      long bytes,
      long deadlineNanos,
      long pauseNanos,
      AsyncHandler.Reply reply) {
    this.publishing = publishing;
    this.bytes = bytes;
    this.deadlineNanos = deadlineNanos;
    this.pauseNanos = pauseNanos;
    this.reply = reply;
  }

  /** Its share of the bytes in flight. */
  long bytes() {
    return bytes;
  }

  /**
   * Performs the due actions, and calls the reply outside of the lock; returns whether it is over.
   */
  boolean tick(long nowNanos, boolean connected) {
    Runnable told;
    synchronized (this) {
      if (ended) {
        return true;
      }
      told = outcome(nowNanos);
      ended = told != null;
      if (!ended && pending == null && connected && nowNanos - nextNanos >= 0) {
        pending = publishing.get();
      }
    }
    if (told == null) {
      return false;
    }
    told.run();
    return true;
  }

  private @Nullable Runnable outcome(long nowNanos) {
    CompletableFuture<?> now = pending;
    if (now != null && now.isDone()) {
      pending = null;
      nextNanos = nowNanos + pauseNanos;
      if (!now.isCompletedExceptionally()) {
        return () -> reply.done(Verdict.UNCHANGED);
      }
      last = String.valueOf(now.exceptionNow().getMessage());
    }
    if (nowNanos - deadlineNanos >= 0) {
      String found = last;
      return () ->
          reply.failed(
              new RemoteHandlerException(
                  "expected a NATS server to keep the message, found: " + found));
    }
    return null;
  }
}
