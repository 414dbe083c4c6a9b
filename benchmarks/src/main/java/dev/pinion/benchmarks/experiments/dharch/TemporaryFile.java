package dev.pinion.benchmarks.experiments.dharch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that handlers write to, from its beginning again when it is full. It is unlinked as soon
 * as it is open, so that nothing of it remains however this JVM ends. For use by any thread.
 */
final class TemporaryFile implements AutoCloseable {
  private static final long MAX_BYTES = 16L << 20;

  private final FileChannel channel;
  private long position;

  private TemporaryFile(FileChannel channel) {
    this.channel = channel;
  }

  /** A new temporary file. */
  static TemporaryFile open(String name) {
    try {
      Path path = Files.createTempFile("pinion-" + name, ".scratch");
      return new TemporaryFile(
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes bytes, in one system call where that accepts them. */
  void write(ByteBuffer bytes) throws IOException {
    long at = place(bytes.remaining());
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
  }

  /** Reads bytes at a position; zeros beyond the end. */
  byte[] read(long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) > 0) {
      // until all of it or the end is read
    }
    return bytes.array();
  }

  /** Writes at a position and waits until the bytes are on the disk. */
  void writeForced(ByteBuffer bytes, long at) throws IOException {
    long to = at;
    while (bytes.hasRemaining()) {
      to += channel.write(bytes, to);
    }
    channel.force(false);
  }

  private synchronized long place(int length) {
    position = position + length > MAX_BYTES ? 0 : position;
    long at = position;
    position += length;
    return at;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
