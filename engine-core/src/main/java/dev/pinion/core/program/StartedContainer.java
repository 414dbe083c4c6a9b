package dev.pinion.core.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The container that a run has started. Its id tells it, which the container engine writes: a
 * container that only has the same name may be that of another run.
 *
 * @param engine the container engine
 * @param idFile the file for the id
 * @param removeAfterNanos time from its end to its removal; negative for never
 */
record StartedContainer(String engine, Path idFile, long removeAfterNanos) {
  /** Ends it before its time. */
  void kill() {
    CommandRunner.run(removeAfterNanos < 0 ? command("kill") : command("rm", "--force"));
  }

  /** Removes it after its end, at the time that its task wants. */
  void removeAfterEnd() {
    if (removeAfterNanos >= 0) {
      CommandRunner.runLater(command("rm", "--force"), removeAfterNanos);
    }
  }

  /** A command on it; empty when none was started. */
  private List<String> command(String verb, String... options) {
    String id = id();
    if (id.isEmpty()) {
      return List.of();
    }
    List<String> words = new ArrayList<>();
    words.add(engine);
    words.add(verb);
    words.addAll(List.of(options));
    words.add(id);
    return words;
  }

  private String id() {
    try {
      return Files.readString(idFile).strip();
    } catch (IOException e) {
      return ""; // it has not been written
    }
  }
}
