package dev.pinion.core.partition;

import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.disk.LogLockedException;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageLock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Mutual exclusion of the replicas of one journal folder that move partitions: the holder of the
 * turn determines the owners of partitions, copies, and writes claims. The turn is a lock of the
 * operating system, so it ends with its process. Any thread.
 */
public final class MigrationLock {
  /** Longest wait of a starting replica for its turn: another one may copy a whole log. */
  static final Duration MOST_WAIT = Duration.ofMinutes(2);

  private static final String TURN = "moving";
  private static final String IN_USE = "in-use-";
  private static final long LOOK_MILLIS = 5;

  private final Path root;
  private final Storage storage;
  private final String process = Long.toString(ProcessHandle.current().pid());

  /**
   * The turns of a folder.
   *
   * @param root folder of the logs
   */
  public MigrationLock(Path root) throws IOException {
    this.root = root;
    this.storage = FileStorage.create(root);
  }

  /** The folder of the logs. */
  public Path root() {
    return root;
  }

  /** The turn if it is free, else null. */
  public @Nullable StorageLock tryAcquire() throws IOException {
    return tryLock(TURN);
  }

  private @Nullable StorageLock tryLock(String name) throws IOException {
    try {
      return storage.lock(name, process);
    } catch (LogLockedException e) {
      return null;
    }
  }

  /**
   * Waits for the turn.
   *
   * @throws LogLockedException when others hold it for too long
   */
  public StorageLock acquire() throws IOException {
    CountDownLatch never = new CountDownLatch(1);
    for (long looks = MOST_WAIT.toMillis() / LOOK_MILLIS; looks > 0; looks--) {
      StorageLock turn = tryAcquire();
      if (turn != null) {
        return turn;
      }
      try {
        never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for the turn to move");
      }
    }
    return storage.lock(TURN, process);
  }

  /**
   * Marks a log as open for as long as the lock is held. Under the turn.
   *
   * @throws LogLockedException when another process has it open
   */
  public StorageLock open(String log) throws IOException {
    return storage.lock(IN_USE + log, process);
  }

  /** Whether no process has a log open. Under the turn. */
  public boolean isUnused(String log) throws IOException {
    try (StorageLock unused = tryLock(IN_USE + log)) {
      return unused != null;
    }
  }
}
