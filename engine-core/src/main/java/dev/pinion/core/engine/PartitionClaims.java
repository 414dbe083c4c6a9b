package dev.pinion.core.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Which log holds which partition. Each log has a file of its claims beside it; of several logs
 * that claim a partition the one with the highest epoch holds it, and what the others have of it is
 * of the past.
 *
 * <pre>
 *   journal/0/          journal/claims-0    12 3      partition 12 in epoch 3
 *   journal/1/          journal/claims-1    12 4      … moved here
 * </pre>
 *
 * <p>A log claims a partition after everything that it has taken over of it is on disk, so a crash
 * on the way leaves it where it was.
 */
final class PartitionClaims {
  private static final String PREFIX = "claims-";
  private static final String CHECKSUM = "crc32c ";

  private final Map<String, SortedMap<Integer, Integer>> epochs;

  /**
   * Who holds a partition.
   *
   * @param log name of the log's directory
   * @param epoch from 1
   */
  record Holder(String log, int epoch) {}

  private PartitionClaims(Map<String, SortedMap<Integer, Integer>> epochs) {
    this.epochs = epochs;
  }

  /**
   * Reads the claims of every log below a directory.
   *
   * @throws IOException when a file is not what was written, naming it
   */
  static PartitionClaims read(Path root) throws IOException {
    Map<String, SortedMap<Integer, Integer>> epochs = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(root, PREFIX + "*")) {
      for (Path file : files) {
        String log = logOf(file);
        epochs.put(log, parse(file, log));
      }
    }
    return new PartitionClaims(epochs);
  }

  /** The log whose claims are in a file. */
  static String logOf(Path claims) {
    return String.valueOf(claims.getFileName()).substring(PREFIX.length());
  }

  /** The file with the claims of a log. */
  static Path fileOf(Path root, String log) {
    return root.resolve(PREFIX + log);
  }

  /**
   * Reads the claims of a log.
   *
   * @throws IOException when the file is not what was written, naming it
   */
  static SortedMap<Integer, Integer> parse(Path file, String log) throws IOException {
    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    int end = text.lastIndexOf(CHECKSUM);
    String claims = end < 0 ? "" : text.substring(0, end);
    if (end < 0 || !text.substring(end).equals(checksum(log, claims))) {
      throw new IOException(
          "expected the claims of log "
              + log
              + " with their checksum in "
              + file
              + ", found other bytes: the file is damaged; put a copy of it back");
    }
    SortedMap<Integer, Integer> epochs = new TreeMap<>();
    for (String line : claims.lines().toList()) {
      String[] words = line.split(" ", -1);
      epochs.put(Integer.valueOf(words[0]), Integer.valueOf(words[1]));
    }
    return epochs;
  }

  /** Begins with the name of the log, so that the claims of another one do not pass. */
  private static String checksum(String log, String text) {
    CRC32C crc = new CRC32C();
    crc.update(log.getBytes(StandardCharsets.UTF_8));
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    return CHECKSUM + Long.toHexString(crc.getValue()) + "\n";
  }

  /** What a log claims, or null when it has never claimed anything. */
  @Nullable SortedMap<Integer, Integer> of(String log) {
    return epochs.get(log);
  }

  /** Who holds a partition, or null when nobody ever did. */
  @Nullable Holder holder(int partition) {
    Holder holder = null;
    for (Map.Entry<String, SortedMap<Integer, Integer>> each : epochs.entrySet()) {
      Integer epoch = each.getValue().get(partition);
      if (epoch != null && (holder == null || epoch > holder.epoch())) {
        holder = new Holder(each.getKey(), epoch);
      }
    }
    return holder;
  }

  /**
   * Replaces the claims of a log, at once and for good.
   *
   * @param epochs by partition
   */
  static void write(Path root, String log, SortedMap<Integer, Integer> epochs) throws IOException {
    StringBuilder text = new StringBuilder();
    epochs.forEach(
        (partition, epoch) -> text.append(partition).append(' ').append(epoch).append('\n'));
    text.append(checksum(log, text.toString()));
    Path preparing = root.resolve("preparing-" + PREFIX + log);
    Files.writeString(preparing, text);
    force(preparing);
    Files.move(preparing, fileOf(root, log), StandardCopyOption.ATOMIC_MOVE);
    force(root);
  }

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
