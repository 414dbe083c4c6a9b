package dev.pinion.core.partition;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The partitions held by each log. Each log has a file of its claims next to it; of several logs
 * that claim a partition the one with the highest epoch holds it, and the others' data of it is
 * obsolete.
 *
 * <pre>
 *   journal/0/          journal/claims-0    12 3             partition 12 in epoch 3
 *                                           13 1 released    no replica works on it; may be taken over
 *   journal/1/          journal/claims-1    12 4             … moved here
 * </pre>
 *
 * <p>A log claims a partition after all its data is on disk, so a crash before that leaves it where
 * it was. Claims are written only by the holder of the {@link MigrationLock}.
 */
public final class PartitionClaims {
  private static final String PREFIX = "claims-";
  private static final String RELEASED = "released";

  private final Map<String, SortedMap<Integer, Claim>> claims;

  /**
   * Claim of a log to a partition.
   *
   * @param epoch from 1
   * @param released whether its replica has released it
   */
  public record Claim(int epoch, boolean released) {}

  /**
   * The holder of a partition.
   *
   * @param log name of the log's directory
   * @param claim the highest of all
   */
  public record Holder(String log, Claim claim) {}

  private PartitionClaims(Map<String, SortedMap<Integer, Claim>> claims) {
    this.claims = claims;
  }

  /**
   * Reads the claims of every log below a directory.
   *
   * @throws IOException when a file was changed since it was written; the message names it
   */
  public static PartitionClaims read(Path root) throws IOException {
    Map<String, SortedMap<Integer, Claim>> claims = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(root, PREFIX + "*")) {
      for (Path file : files) {
        String log = logOf(file);
        claims.put(log, parse(file, log));
      }
    }
    return new PartitionClaims(claims);
  }

  /** The log whose claims are in a file. */
  public static String logOf(Path claims) {
    return String.valueOf(claims.getFileName()).substring(PREFIX.length());
  }

  /** The file with the claims of a log. */
  public static Path fileOf(Path root, String log) {
    return root.resolve(PREFIX + log);
  }

  /**
   * Reads the claims of a log.
   *
   * @throws IOException when the file was changed since it was written; the message names it
   */
  public static SortedMap<Integer, Claim> parse(Path file, String log) throws IOException {
    SortedMap<Integer, Claim> claims = new TreeMap<>();
    for (String line : ChecksummedFile.read(file, log, "the claims of log " + log)) {
      String[] words = line.split(" ", -1);
      boolean released = words.length > 2 && words[2].equals(RELEASED);
      claims.put(Integer.valueOf(words[0]), new Claim(Integer.parseInt(words[1]), released));
    }
    return claims;
  }

  /** The claims of a log, or null when it has never claimed anything. */
  public @Nullable SortedMap<Integer, Claim> of(String log) {
    return claims.get(log);
  }

  /** The holder of a partition, or null when there has been none. */
  public @Nullable Holder holder(int partition) {
    Holder holder = null;
    for (Map.Entry<String, SortedMap<Integer, Claim>> each : claims.entrySet()) {
      Claim claim = each.getValue().get(partition);
      if (claim != null && (holder == null || claim.epoch() > holder.claim().epoch())) {
        holder = new Holder(each.getKey(), claim);
      }
    }
    return holder;
  }

  /**
   * Replaces the claims of a log, atomically and durably.
   *
   * @param claims by partition
   */
  public static void write(Path root, String log, SortedMap<Integer, Claim> claims)
      throws IOException {
    List<String> lines = new ArrayList<>();
    claims.forEach(
        (partition, claim) ->
            lines.add(partition + " " + claim.epoch() + (claim.released() ? " " + RELEASED : "")));
    ChecksummedFile.write(fileOf(root, log), log, lines);
  }
}
