package dev.pinion.core.journal.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Room on the disk that is used like memory: a mapped file without a name, so that nothing is left
 * of it when the process has ended in any way.
 *
 * <p>The whole file is written before it is mapped. So a full disk is an {@link NoSpaceException}
 * here and never a fault at an access later.
 */
public final class ScratchFile {
  private static final int CHUNK = 256 << 10;
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private ScratchFile() {}

  /**
   * Allocates room.
   *
   * @param file an unused name; a file of that name is left from a crash, and is deleted
   * @param bytes number of bytes
   * @return the room, all zeros, released when it is unreachable
   * @throws NoSpaceException when the disk is full
   */
  public static MemorySegment map(Path file, long bytes) throws IOException {
    Files.deleteIfExists(file);
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try (FileChannel channel = FileChannel.open(file, options, OWNER_ONLY)) {
      fill(channel, bytes);
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
    } catch (IOException e) {
      throw StorageFailures.classified("write to " + file, e);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static void fill(FileChannel channel, long bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(CHUNK, bytes));
    for (long offset = 0; offset < bytes; ) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - offset));
      offset += channel.write(zeros, offset);
    }
  }
}
