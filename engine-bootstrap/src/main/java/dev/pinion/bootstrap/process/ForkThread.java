package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The only thread that forks child processes, one after the other. It lives as long as this JVM.
 *
 * <p>Linux sends the parent-death signal of a child when the thread that forked it ends
 * (PR_SET_PDEATHSIG of prctl(2)), so no other thread may fork. Two concurrent forks would hold each
 * other's pipes open, and wait for them for ever if this JVM is killed meanwhile. For any thread.
 */
public final class ForkThread {
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("fork").factory());

  /**
   * Starts a process on the fork thread and waits for the start.
   *
   * @throws IOException when it cannot be started
   */
  public <T> T start(Callable<T> start) throws IOException {
    try {
      return thread.submit(start).get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw new IOException(cause.getMessage(), cause);
      }
      throw new IllegalStateException(
          "expected to start a process, found " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a process was started", e);
    }
  }
}
