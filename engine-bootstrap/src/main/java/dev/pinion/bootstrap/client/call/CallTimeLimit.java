package dev.pinion.bootstrap.client.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The longest time of one call that has a limit of its own. */
public final class CallTimeLimit {
  private final @Nullable CompletableFuture<Void> end;

  /**
   * Begins the time.
   *
   * @param nanos the time; 0 for none
   * @param loop runs the task
   * @param onEnd run when the time is over, unless it was stopped before
   */
  public CallTimeLimit(long nanos, Executor loop, Runnable onEnd) {
    if (nanos == 0) {
      this.end = null;
      return;
    }
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> _ =
        begun
            .completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS)
            .thenRun(() -> execute(loop, onEnd));
    this.end = begun;
  }

  private static void execute(Executor loop, Runnable onEnd) {
    try {
      loop.execute(onEnd);
    } catch (RejectedExecutionException e) {
      // the engine has stopped, with all its calls
    }
  }

  /** Stops the time. */
  public void stop() {
    if (end != null) {
      end.cancel(false);
    }
  }
}
