package dev.pinion.bootstrap.cli.journal;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.disk.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds journals: each is a folder with a file {@code FORMAT}. */
final class JournalFinder {
  private static final String MARK = "FORMAT";

  private JournalFinder() {}

  /**
   * The journals of a folder: itself, those in it, or those of a data folder.
   *
   * @throws CommandException if there are none
   */
  static List<Path> below(Path folder) throws CommandException {
    if (Files.exists(folder.resolve(MARK))) {
      return List.of(folder);
    }
    for (Path parent : List.of(folder.resolve("journal"), folder)) {
      List<Path> found = in(parent);
      if (!found.isEmpty()) {
        return found;
      }
    }
    throw new CommandException(
        ExitStatus.NO_INPUT,
        "expected a journal, or a data folder with journals, found none in " + folder);
  }

  private static List<Path> in(Path parent) throws CommandException {
    if (!Files.isDirectory(parent)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(parent)) {
      return folders.filter(each -> Files.exists(each.resolve(MARK))).sorted().toList();
    } catch (IOException e) {
      throw new CommandException(
          ExitStatus.NO_INPUT, parent + " cannot be read: " + e.getMessage());
    }
  }

  /**
   * The one journal of a folder.
   *
   * @throws CommandException if there is none in it
   */
  static Storage open(Path folder) throws CommandException {
    if (!Files.exists(folder.resolve(MARK))) {
      throw new CommandException(
          ExitStatus.NO_INPUT,
          "expected a journal, a folder with a file " + MARK + ", found none in " + folder);
    }
    return storage(folder);
  }

  /** An existing folder. */
  static Storage storage(Path folder) throws CommandException {
    try {
      return new FileStorage(folder);
    } catch (IOException e) {
      throw new CommandException(
          ExitStatus.NO_INPUT, folder + " cannot be read: " + e.getMessage());
    }
  }
}
