package dev.pinion.core.journal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A file of the operating system. */
final class ChannelFile implements StorageFile {
  private static final int CHUNK = 1 << 20;

  private final Path file;
  private final FileChannel channel;

  ChannelFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public int read(ByteBuffer target, long offset) throws IOException {
    int before = target.position();
    int read = 0;
    while (target.hasRemaining() && read >= 0) {
      read = channel.read(target, offset + target.position() - before);
    }
    return target.position() - before;
  }

  @Override
  public void write(ByteBuffer source, long offset) throws IOException {
    try {
      int before = source.position();
      while (source.hasRemaining()) {
        channel.write(source, offset + source.position() - before);
      }
    } catch (IOException e) {
      throw StorageFailures.classified("write to " + file + " at offset " + offset, e);
    }
  }

  @Override
  public void preallocate(long bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(CHUNK, bytes));
    for (long offset = 0; offset < bytes; offset += CHUNK) {
      write(zeros.clear().limit((int) Math.min(CHUNK, bytes - offset)), offset);
      // forces of other files on the disk wait for pages of this one that the operating system has
      // gathered
      force();
    }
  }

  @Override
  public void force() throws IOException {
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
