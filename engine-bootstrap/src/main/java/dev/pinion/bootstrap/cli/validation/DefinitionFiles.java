package dev.pinion.bootstrap.cli.validation;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The YAML and JSON files of a directory and of those below it, in the order of their paths. Names
 * that begin with a dot are passed over: they belong to tools. Links to directories are not
 * followed, so a walk ends.
 */
final class DefinitionFiles {
  private static final List<String> EXTENSIONS = List.of(".yaml", ".yml", ".json");

  private final Set<Path> files = new TreeSet<>();
  private final List<FileFinding.UnreadableFile> unreadable = new ArrayList<>();

  private DefinitionFiles() {}

  /** Looks through a directory. */
  static DefinitionFiles below(Path directory) {
    DefinitionFiles found = new DefinitionFiles();
    try {
      Files.walkFileTree(directory, found.new Collector(directory));
    } catch (IOException e) {
      found.add(directory, e);
    }
    return found;
  }

  /** Whether a file has more bytes than a definition may have: it may not fit the heap. */
  static boolean isLarger(Path file, int maxBytes) {
    try {
      return Files.isRegularFile(file) && Files.size(file) > maxBytes;
    } catch (IOException e) {
      return false; // reading it tells why
    }
  }

  /** Files that may be definitions. */
  Set<Path> files() {
    return files;
  }

  /** Directories that cannot be looked through. */
  List<FileFinding.UnreadableFile> unreadable() {
    return unreadable;
  }

  private void add(Path path, IOException e) {
    unreadable.add(
        new FileFinding.UnreadableFile(
            path, "expected a directory to read at " + path + ", found " + e));
  }

  /** Collects files by their names. */
  private final class Collector extends SimpleFileVisitor<Path> {
    private final Path root;

    Collector(Path root) {
      this.root = root;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return isHidden(directory) && !directory.equals(root)
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      String name = String.valueOf(file.getFileName());
      if (!isHidden(file)
          && EXTENSIONS.stream().anyMatch(name::endsWith)
          && Files.isRegularFile(file)) {
        files.add(file);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      add(file, e);
      return FileVisitResult.CONTINUE;
    }

    private static boolean isHidden(Path path) {
      return String.valueOf(path.getFileName()).startsWith(".");
    }
  }
}
