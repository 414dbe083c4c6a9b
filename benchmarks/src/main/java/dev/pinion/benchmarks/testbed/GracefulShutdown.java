package dev.pinion.benchmarks.testbed;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts the thread that created it when its work must end early, so that the thread cleans up:
 * when a signal ends this JVM, which then waits until this is closed, and when the process that
 * started this one has ended. Closed by the thread that created it.
 */
public final class GracefulShutdown implements AutoCloseable {
  /**
   * Longest wait of a JVM that a signal ends for its work to clean up; it ends all the same.
   * Servers have 10 s to end, and stub and load generator some more.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Thread worker = Thread.currentThread();
  private final CountDownLatch unwound = new CountDownLatch(1);
  private final Thread hook;

  /**
   * Creates one for the calling thread.
   *
   * @param starterEnds completed when the process that started this one has ended
   * @throws IllegalStateException when this JVM is ending already
   */
  public GracefulShutdown(CompletableFuture<?> starterEnds) {
    this(starterEnds, PATIENCE);
  }

  GracefulShutdown(CompletableFuture<?> starterEnds, Duration patience) {
    hook = new Thread(() -> unwind(patience), "unwind");
    Runtime.getRuntime().addShutdownHook(hook);
    CompletableFuture<Void> _ = starterEnds.thenRun(this::interrupt);
  }

  private void unwind(Duration patience) {
    interrupt();
    try {
      if (!unwound.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println(
            "expected "
                + worker.getName()
                + " to end within "
                + patience.toSeconds()
                + " s, found that it did not: temporary files may be left");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Once the work of the thread is over, the thread is not interrupted. */
  private synchronized void interrupt() {
    if (unwound.getCount() > 0) {
      worker.interrupt();
    }
  }

  @Override
  public synchronized void close() {
    unwound.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM is ending: the hook finds this closed.
    }
  }
}
