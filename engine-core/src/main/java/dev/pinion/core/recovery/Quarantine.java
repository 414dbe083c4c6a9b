package dev.pinion.core.recovery;

import dev.pinion.core.model.InstanceId;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Instances that could not be recovered, kept apart from others, so that one failure does not keep
 * all instances down.
 *
 * <pre>
 *   journal/quarantine/i_0000000040000             one line for each recovery that failed at it
 *   journal/quarantine/i_0000000040000.given-up    renamed so by hand: it is not to be restored
 * </pre>
 *
 * <p>An instance with {@link #MAX_FAILURES} lines is skipped by later recoveries and reported as
 * faulted; its records stay in their log. Deleting its file has it recovered at the next start,
 * unless its partition has moved meanwhile: then it stays faulted. All replicas share the folder.
 * One thread.
 */
public final class Quarantine {
  /** An empty quarantine; only queried, never given failures. */
  static final Quarantine NONE = new Quarantine(Path.of(""));

  /** Failed recoveries of an instance before it is skipped. */
  public static final int MAX_FAILURES = 3;

  /** The longest reason that is written down, in characters. */
  private static final int MAX_REASON_CHARS = 1_000;

  private static final String GIVEN_UP = ".given-up";

  private final Path folder;
  private final Map<InstanceId, QuarantinedInstance> held = new HashMap<>();

  /** A skipped instance. */
  private record QuarantinedInstance(String lastReason, boolean givenUp) {}

  private Quarantine(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads the quarantine.
   *
   * @param root folder of the journals of all replicas
   * @throws IOException when it cannot be read, or holds a file that names no instance
   */
  public static Quarantine read(Path root) throws IOException {
    Quarantine quarantine = new Quarantine(root.resolve("quarantine"));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(quarantine.folder)) {
      for (Path file : files) {
        quarantine.read(file, String.valueOf(file.getFileName()));
      }
    } catch (NoSuchFileException e) {
      return quarantine; // nothing was ever quarantined
    }
    return quarantine;
  }

  private void read(Path file, String name) throws IOException {
    boolean givenUp = name.endsWith(GIVEN_UP);
    InstanceId id =
        InstanceId.parse(givenUp ? name.substring(0, name.length() - GIVEN_UP.length()) : name)
            .orElseThrow(
                () ->
                    new IOException(
                        "expected the id of an instance as the name of "
                            + file
                            + "; move the file away"));
    List<String> failures = Files.readAllLines(file);
    if (givenUp || failures.size() >= MAX_FAILURES) {
      held.put(id, new QuarantinedInstance(failures.isEmpty() ? "" : failures.getLast(), givenUp));
    }
  }

  /** Whether an instance is skipped. */
  boolean contains(InstanceId id) {
    return held.containsKey(id);
  }

  /** The reason why an instance is skipped, with the remedy, or null when it is not. */
  public @Nullable String reason(InstanceId id) {
    QuarantinedInstance found = held.get(id);
    if (found == null) {
      return null;
    }
    return "quarantined: "
        + MAX_FAILURES
        + " recoveries failed at it, the last one with: "
        + found.lastReason
        + (found.givenUp
            ? "; given up"
            : "; delete "
                + folder.getFileName()
                + "/"
                + id
                + " in the folder of the journals and start again to recover it");
  }

  /** Whether the records of an instance must be kept, since it may be restored. */
  public boolean isRetained(InstanceId id) {
    QuarantinedInstance found = held.get(id);
    return found != null && !found.givenUp;
  }

  /**
   * Records the instances at which a recovery failed.
   *
   * @param failures reasons, by instance; nothing happens when there are none
   * @throws IOException with the first of these reasons, when there are any: an engine that ran
   *     without an instance that was acknowledged would have lost it
   */
  public void refuse(Map<InstanceId, String> failures) throws IOException {
    for (Map.Entry<InstanceId, String> each : failures.entrySet()) {
      failed(each.getKey(), each.getValue());
    }
    if (!failures.isEmpty()) {
      throw new IOException(
          failures.values().iterator().next()
              + " ("
              + failures.size()
              + " instances cannot be recovered; after "
              + MAX_FAILURES
              + " recoveries that fail so they are passed over)");
    }
  }

  /**
   * Records durably that a recovery failed at an instance.
   *
   * @param reason any text
   */
  void failed(InstanceId id, String reason) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectory(folder); // not its parents: their volume may be gone
    }
    String line = reason.lines().findFirst().orElse("unknown");
    line = line.substring(0, Math.min(line.length(), MAX_REASON_CHARS));
    try (FileChannel file =
        FileChannel.open(
            folder.resolve(id.toString()),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND)) {
      file.write(StandardCharsets.UTF_8.encode(line + "\n"));
      file.force(true);
    }
  }
}
