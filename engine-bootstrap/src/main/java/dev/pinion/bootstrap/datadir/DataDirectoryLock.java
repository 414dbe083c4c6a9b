package dev.pinion.bootstrap.datadir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The right to use a data directory, held by one process at a time. The operating system releases
 * it however the process ends.
 */
public final class DataDirectoryLock implements AutoCloseable {
  private static final int MAX_PID_BYTES = 32;

  private final FileChannel channel;

  private DataDirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Creates the directory if necessary and acquires the right.
   *
   * @throws IOException when another process has it, whose id is in the message, or when the
   *     directory cannot be written
   */
  public static DataDirectoryLock acquire(Path directory) throws IOException {
    OwnerOnlyPermissions.createDirectories(directory);
    Path file = directory.resolve("lock");
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            OwnerOnlyPermissions.ofFile(file));
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw new IOException(
            "data directory " + directory + " is in use by process " + holder(channel));
      }
      channel.truncate(0);
      byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
      channel.write(ByteBuffer.wrap(pid), 0);
      return new DataDirectoryLock(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (java.nio.channels.OverlappingFileLockException e) {
      return null;
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_PID_BYTES);
    channel.read(bytes, 0);
    bytes.flip();
    return StandardCharsets.US_ASCII.decode(bytes).toString().strip();
  }

  /** Releases the right. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
