package dev.pinion.handlers.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A handler that waits for something, such as a handler in another process, without blocking a
 * thread.
 */
public interface AsyncHandler extends Handler {
  /**
   * Begins to handle a message, and returns soon.
   *
   * @param message the visible part of the message
   * @param reply receives the verdict or the failure once, by any thread; when a verdict comes
   *     after the time-out of the attempt, its effect is undone where possible
   * @throws Exception when it could not begin
   */
  void begin(View message, Reply reply) throws Exception;

  /**
   * Whether the reply to this message comes later; otherwise the chain calls {@link #handle} as for
   * any handler. Called once for each attempt.
   */
  default boolean repliesLater(View message) {
    return true;
  }

  /** Waits for the reply; chains do not call it when {@link #repliesLater} is true. */
  @Override
  default Verdict handle(View message) throws Exception {
    CompletableFuture<Verdict> verdict = new CompletableFuture<>();
    begin(
        message,
        new Reply() {
          @Override
          public void done(Verdict given) {
            verdict.complete(given);
          }

          @Override
          public void failed(Throwable failure) {
            verdict.completeExceptionally(failure);
          }
        });
    try {
      return verdict.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Receives the outcome of an attempt. */
  interface Reply {
    /** The handler has a verdict. */
    void done(Verdict verdict);

    /** The handler failed. */
    void failed(Throwable failure);
  }
}
