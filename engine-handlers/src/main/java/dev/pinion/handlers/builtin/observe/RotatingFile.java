package dev.pinion.handlers.builtin.observe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * A file of lines that is rotated. When it is full or old enough it becomes {@code FILE.1}, {@code
 * FILE.1} becomes {@code FILE.2}, and so on; the oldest beyond the number kept is deleted. No other
 * process may open it meanwhile. For one thread at a time.
 */
final class RotatingFile implements AutoCloseable {
  private final Path path;
  private RotationPolicy rotationPolicy;
  private FileChannel channel;
  private long size;
  private long bornMillis;

  /**
   * Opens the file for appending. Ends a line that a crash has cut off.
   *
   * @param nowMillis the wall clock
   */
  RotatingFile(Path path, RotationPolicy rotationPolicy, long nowMillis) throws IOException {
    this.path = path;
    this.rotationPolicy = rotationPolicy;
    this.bornMillis = nowMillis;
    if (Files.exists(path)) {
      bornMillis = Math.min(nowMillis, Files.getLastModifiedTime(path).toMillis());
    }
    this.channel = open();
    endLine();
  }

  private FileChannel open() throws IOException {
    FileChannel opened =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (opened.tryLock() == null) {
      opened.close();
      throw new IOException("another process writes to " + path);
    }
    size = opened.size();
    opened.position(size);
    return opened;
  }

  private void endLine() throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    if (size > 0 && channel.read(last, size - 1) == 1 && last.get(0) != '\n') {
      write(ByteBuffer.wrap(new byte[] {'\n'}));
    }
  }

  /** Sets the terms in force from now on. */
  void adopt(RotationPolicy other) {
    rotationPolicy = other;
  }

  /** Appends whole lines to one file, which is a new one when they do not fit or it is too old. */
  void append(ByteBuffer lines, long nowMillis) throws IOException {
    // A clock that was set back makes the file younger, never older.
    bornMillis = Math.min(bornMillis, nowMillis);
    boolean full = size + lines.remaining() > rotationPolicy.maxBytes;
    boolean old = nowMillis - bornMillis >= rotationPolicy.maxAge.toMillis();
    if (size > 0 && (full || old)) {
      rotate();
      bornMillis = nowMillis;
    }
    write(lines);
  }

  private void write(ByteBuffer lines) throws IOException {
    while (lines.hasRemaining()) {
      size += channel.write(lines);
    }
  }

  private void rotate() throws IOException {
    channel.close();
    if (Files.exists(path)) { // otherwise it was removed, or an earlier attempt failed after this
      setAside();
    }
    channel = open();
  }

  private void setAside() throws IOException {
    Files.deleteIfExists(numbered(rotationPolicy.keep));
    for (int i = rotationPolicy.keep - 1; i >= 1; i--) {
      if (Files.exists(numbered(i))) {
        Files.move(numbered(i), numbered(i + 1), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (rotationPolicy.keep == 0) {
      Files.deleteIfExists(path);
    } else {
      Files.move(path, numbered(1), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Path numbered(int number) {
    return path.resolveSibling(path.getFileName() + "." + number);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /**
   * Terms of rotation.
   *
   * @param maxBytes the largest file; a single batch of lines may be larger
   * @param maxAge time for which a file is written
   * @param keep number of older files that are kept
   */
  record RotationPolicy(long maxBytes, Duration maxAge, int keep) {}
}
