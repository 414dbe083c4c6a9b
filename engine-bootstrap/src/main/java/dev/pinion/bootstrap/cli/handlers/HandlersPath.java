package dev.pinion.bootstrap.cli.handlers;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.handlers.config.HandlerKinds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Jars and folders with further kinds of handlers than those that come with Pinion. */
final class HandlersPath {
  @Option(
      names = "--handlers-path",
      paramLabel = "JAR",
      split = ":",
      description = "Jars or folders with further kinds of handlers.")
  private List<Path> path = List.of();

  /** All installed kinds and those on the path; their classes stay loaded. */
  HandlerKinds kinds() throws CommandException {
    for (Path each : path) {
      if (!Files.isReadable(each)) {
        throw new CommandException(
            ExitStatus.NO_INPUT, "expected a jar or folder that can be read, found " + each);
      }
    }
    try {
      return HandlerKinds.installed(HandlersPath.class.getClassLoader(), path);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitStatus.DATA, String.valueOf(e.getMessage()));
    }
  }
}
