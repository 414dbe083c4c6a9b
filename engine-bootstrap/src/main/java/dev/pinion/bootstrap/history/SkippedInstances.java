package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.datadir.DataSubdirectory;
import dev.pinion.core.model.InstanceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Instances of a journal that the history leaves out, in a file with a line for each: id, time and
 * reason. After a line is deleted, the history tries that instance again, at its next start and as
 * far as journals exist. Used by one thread.
 */
final class SkippedInstances {
  private final Path file;
  private final Set<Long> ids = new HashSet<>();

  private SkippedInstances(Path file) {
    this.file = file;
  }

  /** Reads the file, if it exists. Lines that do not begin with an id are ignored. */
  static SkippedInstances read(Path file) throws IOException {
    SkippedInstances read = new SkippedInstances(file);
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        InstanceId.parse(line.split(" ", 2)[0]).ifPresent(id -> read.ids.add(id.value()));
      }
    }
    return read;
  }

  /** Adds an instance. */
  void add(InstanceId id, String reason, Instant now) throws IOException {
    if (ids.add(id.value())) {
      DataSubdirectory.make(Objects.requireNonNull(file.getParent(), "a folder"));
      Files.writeString(
          file,
          id + " " + now + " " + reason.replaceAll("\\R", " ") + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }

  Set<Long> ids() {
    return ids;
  }
}
