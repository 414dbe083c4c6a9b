package dev.pinion.core.definition;

import dev.pinion.core.model.DefinitionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Marks of disabled definitions: empty files {@code <namespace>/<name>/<version>}. A mark that
 * outlives its definition means nothing; the next save of that version removes it. The caller of
 * {@link #set} and {@link #load} holds the lock on the definitions.
 */
final class DisabledMarks {
  /** The folder among the definitions. */
  private static final String FOLDER = ".disabled";

  private static final int DEPTH = 3;

  private final Path definitions;
  private final Path directory;

  /** The marks of a folder of definitions. */
  DisabledMarks(Path definitions) {
    this.definitions = definitions;
    this.directory = definitions.resolve(FOLDER);
  }

  /** Whether a file belongs here. */
  boolean holds(Path file) {
    return file.startsWith(directory);
  }

  /** Sets or removes a mark durably. */
  void set(DefinitionKey key, boolean disabled) throws IOException {
    if (disabled) {
      DurableFiles.create(definitions, folder(key));
      DurableFiles.write(mark(key), "");
    } else if (!Files.deleteIfExists(mark(key))) {
      return;
    }
    DurableFiles.force(folder(key));
  }

  /** Whether a definition has a mark. */
  boolean has(DefinitionKey key) {
    return Files.exists(mark(key));
  }

  /** The keys of all marks. */
  Set<DefinitionKey> load() throws IOException {
    Set<DefinitionKey> keys = new HashSet<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.walk(directory, DEPTH)) {
        files
            .filter(Files::isRegularFile)
            .map(directory::relativize)
            .filter(mark -> mark.getNameCount() == DEPTH)
            .forEach(mark -> keys.add(key(mark)));
      }
    }
    return keys;
  }

  private static DefinitionKey key(Path mark) {
    return new DefinitionKey(
        mark.getName(0).toString(), mark.getName(1).toString(), mark.getName(2).toString());
  }

  private Path mark(DefinitionKey key) {
    return folder(key).resolve(key.version());
  }

  private Path folder(DefinitionKey key) {
    return directory.resolve(key.namespace()).resolve(key.name());
  }
}
