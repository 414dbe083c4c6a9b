package dev.pinion.bootstrap.cli.validation;

import dev.pinion.core.model.Diagnostic;
import java.nio.file.Path;
import java.util.List;

/** What the check of one file found. */
sealed interface FileFinding {
  /** The file. */
  Path path();

  /**
   * A definition.
   *
   * @param problems why it cannot be deployed, by position; none when it can
   * @param warnings what is allowed and hardly meant, by position
   */
  record CheckedDefinition(Path path, List<Diagnostic> problems, List<Diagnostic> warnings)
      implements FileFinding {
    /** Copies the lists. */
    public CheckedDefinition {
      problems = List.copyOf(problems);
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * A file of a directory that is no definition.
   *
   * @param reason why it is none
   */
  record SkippedFile(Path path, String reason) implements FileFinding {}

  /**
   * A file or directory of which nothing is known.
   *
   * @param message what was expected, and what was found
   */
  record UnreadableFile(Path path, String message) implements FileFinding {}
}
