package dev.pinion.core.journal.disk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Locks on files, against other processes and within this one. The operating system keeps locks by
 * process, and drops all locks of a file when the process closes any descriptor of it; so this
 * process has at most one descriptor of a locked file, kept here. Any thread.
 */
final class FileLocks {
  private static final int MAX_HOLDER_BYTES = 64;
  private static final Map<Path, HeldLock> HELD = new HashMap<>();

  private FileLocks() {}

  /** A lock of this process. */
  private static final class HeldLock {
    final FileChannel channel;
    final boolean shared;
    int holders = 1;

    HeldLock(FileChannel channel, boolean shared) {
      this.channel = channel;
      this.shared = shared;
    }
  }

  /** See {@link Storage#lock}. */
  static StorageLock exclusive(Path file, String holder) throws IOException {
    synchronized (HELD) {
      if (HELD.containsKey(file)) {
        throw new LogLockedException(file.toString(), Long.toString(ProcessHandle.current().pid()));
      }
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        FileLock lock = channel.tryLock();
        if (lock == null) {
          throw new LogLockedException(file.toString(), holder(channel));
        }
        writeHolder(channel, holder);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
      return hold(file, new HeldLock(channel, false));
    }
  }

  private static void writeHolder(FileChannel channel, String holder) throws IOException {
    if (!holder.isEmpty()) {
      channel.truncate(0);
      channel.write(StandardCharsets.US_ASCII.encode(holder + "\n"), 0);
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(MAX_HOLDER_BYTES);
    channel.read(text, 0);
    return StandardCharsets.US_ASCII.decode(text.flip()).toString().strip();
  }

  /** See {@link Storage#lockShared}. */
  static StorageLock shared(Path file) throws IOException {
    synchronized (HELD) {
      HeldLock heldLock = awaitShared(file);
      if (heldLock != null) {
        heldLock.holders++;
        return new Release(file, heldLock);
      }
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      try {
        // waits while another process deletes files, which is short
        FileLock lock = channel.lock(0, Long.MAX_VALUE, true);
        if (!lock.isValid()) {
          throw new IOException("expected a lock on " + file + ", found it gone; try again");
        }
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
      return hold(file, new HeldLock(channel, true));
    }
  }

  private static @Nullable HeldLock awaitShared(Path file) throws IOException {
    synchronized (HELD) {
      HeldLock heldLock = HELD.get(file);
      while (heldLock != null && !heldLock.shared) {
        try {
          HELD.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("interrupted while waiting for " + file);
        }
        heldLock = HELD.get(file);
      }
      return heldLock;
    }
  }

  private static StorageLock hold(Path file, HeldLock heldLock) {
    HELD.put(file, heldLock);
    return new Release(file, heldLock);
  }

  /** Releases a lock, once. */
  private static final class Release implements StorageLock {
    private final Path file;
    private @Nullable HeldLock heldLock;

    Release(Path file, HeldLock heldLock) {
      this.file = file;
      this.heldLock = heldLock;
    }

    @Override
    public void close() throws IOException {
      synchronized (HELD) {
        HeldLock mine = heldLock;
        heldLock = null;
        if (mine == null) {
          return;
        }
        mine.holders--;
        if (mine.holders == 0) {
          HELD.remove(file);
          HELD.notifyAll();
          mine.channel.close();
        }
      }
    }
  }
}
