package dev.pinion.bootstrap.cli.validation;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.core.limits.EngineLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files of definitions: those that are named, and those of directories that look like one. */
public final class DefinitionPaths {
  private final DefinitionDetector detector;
  private final int maxBytes;

  /** Files within limits. */
  public DefinitionPaths(EngineLimits limits) {
    this.detector = new DefinitionDetector(limits);
    this.maxBytes = limits.definition().maxBytes();
  }

  /**
   * The files, in the order of the arguments.
   *
   * @param arguments files and directories
   */
  public List<Path> files(List<Path> arguments) throws CommandException {
    List<Path> files = new ArrayList<>();
    for (Path argument : arguments) {
      if (Files.isDirectory(argument)) {
        addBelow(argument, files);
      } else {
        files.add(argument);
      }
    }
    return files;
  }

  private void addBelow(Path directory, List<Path> files) throws CommandException {
    DefinitionFiles found = DefinitionFiles.below(directory);
    if (!found.unreadable().isEmpty()) {
      throw new CommandException(ExitStatus.NO_INPUT, found.unreadable().getFirst().message());
    }
    for (Path file : found.files()) {
      if (isDefinition(file)) {
        files.add(file);
      }
    }
  }

  private boolean isDefinition(Path file) throws CommandException {
    if (DefinitionFiles.isLarger(file, maxBytes)) {
      return false;
    }
    String text = new String(CommandInput.file(file), StandardCharsets.UTF_8);
    return detector.reason(text, CommandInput.mediaType(file)) == null;
  }
}
