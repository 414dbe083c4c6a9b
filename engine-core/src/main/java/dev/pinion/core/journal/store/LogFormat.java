package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Description of a log in its directory, in the text file {@code FORMAT}.
 *
 * @param version version of the formats on disk
 * @param minReader the least version of a program that may read them
 * @param id the identity of the log
 * @param partitions number of partitions that its records may name
 * @param createdBy program and version that created it
 */
record LogFormat(int version, int minReader, LogId id, int partitions, String createdBy) {
  /** Version that this program writes, and the newest that it reads. */
  static final int VERSION = 1;

  private static final String TITLE = "pinion-journal";
  private static final int MAX_BYTES = 4096;

  ByteBuffer encoded() {
    String body = body();
    return StandardCharsets.US_ASCII.encode(body + "checksum: " + checksum(body) + "\n");
  }

  private String body() {
    return TITLE
        + "\nformat: "
        + version
        + "\nmin-reader: "
        + minReader
        + "\nlog: "
        + id
        + "\npartitions: "
        + partitions
        + "\ncreated-by: "
        + createdBy
        + "\n";
  }

  private static String checksum(String body) {
    CRC32C crc = new CRC32C();
    crc.update(body.getBytes(StandardCharsets.US_ASCII));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  /**
   * Reads the format of an existing log.
   *
   * @throws JournalFormatException when this program must not open it
   */
  static LogFormat read(Storage storage) throws IOException {
    String place = storage.location(LogFileNames.FORMAT);
    String text;
    try (StorageFile file = storage.openToRead(LogFileNames.FORMAT)) {
      ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
      file.read(bytes, 0);
      text = StandardCharsets.ISO_8859_1.decode(bytes.flip()).toString();
    }
    Map<String, String> lines = lines(text);
    if (!text.startsWith(TITLE + "\n")) {
      throw new JournalFormatException(
          "expected the first line '" + TITLE + "', found another, in " + place + advice());
    }
    checkVersion(lines, place);
    return parse(text, lines, place);
  }

  /** Checks the version first: the rest may be different in a later one. */
  private static void checkVersion(Map<String, String> lines, String place)
      throws JournalFormatException {
    int version = number(lines, "format", place);
    int minReader = number(lines, "min-reader", place);
    if (version > VERSION || minReader > VERSION || version < 1 || minReader < 1) {
      throw new JournalFormatException(
          "expected a journal of format "
              + VERSION
              + ", found format "
              + version
              + " for readers of "
              + minReader
              + " and later, in "
              + place
              + "; nothing was changed: use the version of Pinion that wrote it, or a later one");
    }
  }

  private static LogFormat parse(String text, Map<String, String> lines, String place)
      throws JournalFormatException {
    try {
      LogFormat found =
          new LogFormat(
              number(lines, "format", place),
              number(lines, "min-reader", place),
              LogId.parse(lines.getOrDefault("log", "")),
              number(lines, "partitions", place),
              lines.getOrDefault("created-by", ""));
      String expected = StandardCharsets.US_ASCII.decode(found.encoded()).toString();
      if (expected.equals(text)) {
        return found;
      }
    } catch (IllegalArgumentException e) {
      throw new JournalFormatException(e.getMessage() + ", in line 'log' of " + place + advice());
    }
    throw new JournalFormatException(
        "expected a text that matches its checksum, found a changed one, in " + place + advice());
  }

  private static Map<String, String> lines(String text) {
    Map<String, String> lines = new HashMap<>();
    text.lines()
        .forEach(
            line -> {
              int colon = line.indexOf(": ");
              if (colon > 0) {
                lines.put(line.substring(0, colon), line.substring(colon + 2));
              }
            });
    return lines;
  }

  private static int number(Map<String, String> lines, String key, String place)
      throws JournalFormatException {
    String value = lines.getOrDefault(key, "");
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new JournalFormatException(
          "expected a number after '" + key + ": ', found '" + value + "', in " + place + advice());
    }
  }

  private static String advice() {
    return "; nothing was changed: restore the file from a copy, or name another directory";
  }
}
