package dev.pinion.core.definition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Objects;

/** Files and folders that survive a loss of power. */
final class DurableFiles {
  private DurableFiles() {}

  /** Writes a file and forces it to disk. */
  static void write(Path file, String text) throws IOException {
    write(file, text, 0);
  }

  /**
   * Writes a file and forces it to disk.
   *
   * @param modifiedAtMillis time of the file, in milliseconds since the epoch; 0 for now
   */
  static void write(Path file, String text, long modifiedAtMillis) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      if (modifiedAtMillis != 0) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(modifiedAtMillis));
      }
      channel.force(true);
    }
  }

  /**
   * Creates a directory and missing parents below another one, durably.
   *
   * @param root a parent; it is never created, since its volume may be gone
   */
  static void create(Path root, Path folder) throws IOException {
    if (folder.equals(root) || Files.isDirectory(folder)) {
      return;
    }
    Path parent = Objects.requireNonNull(folder.getParent(), "a folder below another one");
    create(root, parent);
    createOne(folder);
    force(parent);
  }

  private static void createOne(Path folder) throws IOException {
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
      // Another process created it first.
    }
  }

  /** Makes the names in a directory durable, which on Linux is a force of the directory itself. */
  static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
