package dev.pinion.handlers.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A handler that waits for something else, such as a handler in another process, without keeping a
 * thread for it.
 */
public interface AsyncHandler extends Handler {
  /**
   * Begins to handle a message, and returns soon.
   *
   * @param message what the handler may see of the message
   * @param reply told the verdict or the failure once, by any thread; when a verdict comes after
   *     the time for the attempt, the effect that it tells of is taken back where that can be done
   * @throws Exception when it could not begin
   */
  void begin(View message, Reply reply) throws Exception;

  /**
   * Whether this message is one to reply to later; else the chain calls {@link #handle} as it does
   * with any handler. Asked once for each attempt.
   */
  default boolean repliesLater(View message) {
    return true;
  }

  /** Waits for the reply; chains do not call this where {@link #repliesLater}. */
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

  /** Who is told how it ended. */
  interface Reply {
    /** The handler has a verdict. */
    void done(Verdict verdict);

    /** The handler could not do its step. */
    void failed(Throwable failure);
  }
}
