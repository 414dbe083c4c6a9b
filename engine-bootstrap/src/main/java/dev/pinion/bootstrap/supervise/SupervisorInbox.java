package dev.pinion.bootstrap.supervise;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Events and queries that wait for the supervisor's thread. */
final class SupervisorInbox {
  /** Most waiting events; a process that sends more is blocked in its next line. */
  private static final int MAX_EVENTS = 1_024;

  private final BlockingQueue<Runnable> events = new ArrayBlockingQueue<>(MAX_EVENTS);

  /** Adds an event; waits for room. For any thread. */
  void put(Runnable event) {
    try {
      events.put(event);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Adds a query. For any thread.
   *
   * @return completed by the supervisor's thread, or with an error when too many events wait for it
   */
  <T> CompletableFuture<T> query(Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    if (!events.offer(() -> answer.complete(question.get()))) {
      answer.completeExceptionally(
          new RejectedExecutionException("the supervisor has too much to do"));
    }
    return answer;
  }

  /** The next event, or null when there is none yet. */
  @Nullable Runnable poll() {
    return events.poll();
  }

  /** The next event, or null when none comes in time. */
  @Nullable Runnable poll(Duration patience) throws InterruptedException {
    return events.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
  }
}
