package dev.pinion.bootstrap.datadir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Checks once a second whether the data folder is still the one with which the engine started. On a
 * separate thread, since a file system that hangs must not block anything else.
 */
public final class DataDirectoryWatch implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Path folder;
  private final DataDirectoryIdentity identity;
  private final Consumer<String> lost;
  private final Consumer<String> warn;
  private final CountDownLatch end = new CountDownLatch(1);
  private boolean warned;

  private DataDirectoryWatch(
      Path folder, DataDirectoryIdentity identity, Consumer<String> lost, Consumer<String> warn) {
    this.folder = folder;
    this.identity = identity;
    this.lost = lost;
    this.warn = warn;
  }

  /**
   * Starts checking.
   *
   * @param folder the data folder
   * @param identity its expected identity
   * @param lost notified once, when another folder or none is there
   * @param warn notified once, when that cannot be checked
   */
  public static DataDirectoryWatch start(
      Path folder, DataDirectoryIdentity identity, Consumer<String> lost, Consumer<String> warn) {
    DataDirectoryWatch watch = new DataDirectoryWatch(folder, identity, lost, warn);
    Thread.ofPlatform().daemon().name("data-watch").start(watch::run);
    return watch;
  }

  private void run() {
    try {
      while (!end.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        if (!check()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Checks once; returns whether to check again. */
  private boolean check() {
    try {
      identity.check(folder);
      warned = false;
    } catch (DataDirectoryIdentity.DataDirectoryLostException e) {
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
