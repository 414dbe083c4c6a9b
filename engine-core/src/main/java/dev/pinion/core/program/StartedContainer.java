package dev.pinion.core.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The container that a run has started. Its id tells it, which the container engine writes: a
 * container that only has the same name may be that of another run.
 *
 * @param engine the container engine
 * @param environment environment variables by which the engine is found
 * @param idFile the file for the id
 * @param removeAfterNanos time from its end to its removal; negative for never
 */
record StartedContainer(
    String engine, Map<String, String> environment, Path idFile, long removeAfterNanos) {
  StartedContainer {
    environment = Map.copyOf(environment);
  }

  /** Ends it before its time. */
  void kill() {
    CommandRunner.run(command(removeAfterNanos < 0 ? List.of("kill") : removal()), environment);
  }

  /** Removes it after its end, at the time that its task wants. */
  void removeAfterEnd() {
    if (removeAfterNanos >= 0) {
      CommandRunner.runLater(command(removal()), environment, removeAfterNanos);
    }
  }

  /** What a {@link ProgramGuard} needs to end it: engine, command and file of the id. */
  String guarded() {
    return engine
        + "\t"
        + (removeAfterNanos < 0 ? "kill" : String.join(" ", removal()))
        + "\t"
        + idFile;
  }

  private static List<String> removal() {
    return List.of("rm", "--force");
  }

  /** A command on it; empty when none was started. */
  private List<String> command(List<String> verb) {
    String id = id();
    if (id.isEmpty()) {
      return List.of();
    }
    List<String> words = new ArrayList<>();
    words.add(engine);
    words.addAll(verb);
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
