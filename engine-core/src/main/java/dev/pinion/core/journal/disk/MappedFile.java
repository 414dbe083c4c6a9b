package dev.pinion.core.journal.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A file of the operating system, mapped. */
final class MappedFile implements StorageMapping {
  private final Path file;
  private final Arena arena;
  private final MemorySegment memory;
  private final ByteBuffer buffer;

  MappedFile(Path file, Arena arena, MemorySegment memory) {
    this.file = file;
    this.arena = arena;
    this.memory = memory;
    this.buffer = memory.asByteBuffer();
  }

  @Override
  public void write(ByteBuffer source, int offset) throws IOException {
    try {
      buffer.put(offset, source, source.position(), source.remaining());
    } catch (InternalError e) {
      // the JVM's report that the disk could not deliver a mapped page
      throw new IOException("expected to write to mapped " + file + ", found no page behind it", e);
    }
  }

  @Override
  public void force() throws IOException {
    try {
      memory.force();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
