package dev.pinion.core.partition;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A small file of lines whose last line is a checksum, replaced atomically and durably. The
 * checksum covers the file's subject first, so that a file in the place of another does not pass.
 */
final class ChecksummedFile {
  private static final String CHECKSUM = "crc32c ";

  private ChecksummedFile() {}

  /**
   * Reads the lines of a file.
   *
   * @param about subject of the file, for its checksum
   * @param what its content, for messages
   * @throws IOException when the file was changed since it was written; the message names it
   */
  static List<String> read(Path file, String about, String what) throws IOException {
    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    int end = text.lastIndexOf(CHECKSUM);
    String lines = end < 0 ? "" : text.substring(0, end);
    if (end < 0 || !text.substring(end).equals(checksum(about, lines))) {
      throw new IOException(
          "expected "
              + what
              + " with their checksum in "
              + file
              + ", found other bytes: the file is damaged; put a copy of it back");
    }
    return lines.lines().toList();
  }

  /** Replaces or creates a file. */
  static void write(Path file, String about, List<String> lines) throws IOException {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line).append('\n'));
    text.append(checksum(about, text.toString()));
    Path preparing = file.resolveSibling("preparing-" + file.getFileName());
    Files.writeString(preparing, text);
    force(preparing);
    Files.move(preparing, file, StandardCopyOption.ATOMIC_MOVE);
    force(file.resolveSibling(".").normalize());
  }

  private static String checksum(String about, String text) {
    CRC32C crc = new CRC32C();
    crc.update(about.getBytes(StandardCharsets.UTF_8));
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    return CHECKSUM + Long.toHexString(crc.getValue()) + "\n";
  }

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
