package dev.pinion.core.program;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Folders in which interpreters are found.
 *
 * @param folders in the order of the search
 */
public record ProgramSearch(List<Path> folders) {
  private static final String USUAL = "/usr/local/bin:/usr/bin:/bin";

  /** Copies the list. */
  public ProgramSearch {
    folders = List.copyOf(folders);
  }

  /** The folders of a {@code PATH}; null stands for the usual ones. */
  public static ProgramSearch of(@Nullable String path) {
    List<Path> folders = new ArrayList<>();
    for (String folder : (path == null ? USUAL : path).split(File.pathSeparator, -1)) {
      try {
        Path found = Path.of(folder);
        if (found.isAbsolute()) {
          folders.add(found);
        }
      } catch (InvalidPathException e) {
        // no program is there
      }
    }
    return new ProgramSearch(folders);
  }

  /** The first of some programs that is there, or null. */
  @Nullable Path find(List<String> names) {
    for (String name : names) {
      for (Path folder : folders) {
        Path program = folder.resolve(name);
        if (Files.isExecutable(program) && !Files.isDirectory(program)) {
          return program;
        }
      }
    }
    return null;
  }

  /** The folders as a {@code PATH}. */
  String path() {
    return String.join(File.pathSeparator, folders.stream().map(Path::toString).toList());
  }
}
