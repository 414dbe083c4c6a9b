package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.process.DataIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks once a second whether the data folder is still the one that the engine began with. A thread
 * of its own, since a file system that hangs must hold up nothing else.
 */
public final class DataWatch implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Path folder;
  private final DataIdentity identity;
  private final Consumer<String> lost;
  private final Consumer<String> warn;
  private final CountDownLatch end = new CountDownLatch(1);
  private boolean warned;

  private DataWatch(
      Path folder, DataIdentity identity, Consumer<String> lost, Consumer<String> warn) {
    this.folder = folder;
    this.identity = identity;
    this.lost = lost;
    this.warn = warn;
  }

  /**
   * Begins to look.
   *
   * @param folder where the data is
   * @param identity what is expected there
   * @param lost told once, when another folder or none is there
   * @param warn told once, when that cannot be found out
   */
  public static DataWatch begin(
      Path folder, DataIdentity identity, Consumer<String> lost, Consumer<String> warn) {
    DataWatch watch = new DataWatch(folder, identity, lost, warn);
    Thread.ofPlatform().daemon().name("data-watch").start(watch::run);
    return watch;
  }

  private void run() {
    try {
      while (!end.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        if (!look()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks once; returns whether to look again. */
  private boolean look() {
    try {
      identity.check(folder);
      warned = false;
    } catch (DataIdentity.LostException e) {
      lost.accept(e.getMessage());
      return false;
    } catch (IOException e) {
      if (!warned) {
        warned = true;
        warn.accept("the identity of the data folder cannot be read: " + e.getMessage());
      }
    }
    return true;
  }

  @Override
  public void close() {
    end.countDown();
  }
}
