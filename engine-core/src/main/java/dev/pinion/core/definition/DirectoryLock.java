package dev.pinion.core.definition;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock on a directory that several processes share. The operating system ends it when its holder
 * dies.
 */
final class DirectoryLock implements AutoCloseable {
  /** The file in the directory that is locked. */
  static final String NAME = ".lock";

  /** A file lock keeps other processes out, but not other threads of this one. */
  private static final ReentrantLock IN_THIS_PROCESS = new ReentrantLock();

  private final FileChannel file;
  private final FileLock lock;

  private DirectoryLock(FileChannel file, FileLock lock) {
    this.file = file;
    this.lock = lock;
  }

  /** Waits for the lock. */
  static DirectoryLock take(Path directory) throws IOException {
    IN_THIS_PROCESS.lock();
    try {
      FileChannel file =
          FileChannel.open(
              directory.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      return new DirectoryLock(file, file.lock());
    } catch (IOException | RuntimeException e) {
      IN_THIS_PROCESS.unlock();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      lock.release();
      file.close();
    } finally {
      IN_THIS_PROCESS.unlock();
    }
  }
}
