package dev.pinion.core.definition;

import dev.pinion.core.model.DefinitionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Keeps the content of deleted definitions: {@code
 * <namespace>/<name>/<version>.<fingerprint>.yaml}, or {@code .json}. A file is written under a
 * temporary name, forced to disk and renamed, so it is complete or absent. The caller of {@link
 * #add} holds the lock on the definitions.
 */
final class DeletedDefinitionFiles {
  /** The folder among the definitions. */
  private static final String FOLDER = ".deleted";

  private static final String UNFINISHED = ".unfinished-";
  private static final int DEPTH = 3;
  private static final Pattern NAME =
      Pattern.compile("(?<version>.+)\\.(?<fingerprint>[0-9a-f]{16})\\.(?:yaml|json)");

  private final Path definitions;
  private final Path directory;

  /** The deleted definitions of a folder of definitions. */
  DeletedDefinitionFiles(Path definitions) {
    this.definitions = definitions;
    this.directory = definitions.resolve(FOLDER);
  }

  /** Whether a file belongs here. */
  boolean holds(Path file) {
    return file.startsWith(directory);
  }

  /** Adds a definition durably; does nothing when it exists. */
  void add(DeletedDefinition definition) throws IOException {
    StoredDefinition stored = definition.stored();
    DefinitionKey key = stored.key();
    Path folder = directory.resolve(key.namespace()).resolve(key.name());
    String name =
        key.version()
            + String.format(Locale.ROOT, ".%016x", definition.fingerprint())
            + DefinitionFileNames.extension(stored.mediaType());
    if (Files.exists(folder.resolve(name))) {
      return;
    }
    DurableFiles.create(definitions, folder);
    if (!stored.documents().isEmpty()) {
      DurableFiles.write(
          PinnedDocumentFiles.of(folder.resolve(name)),
          PinnedDocumentFiles.text(stored.documents()));
    }
    Path unfinished = folder.resolve(UNFINISHED + name);
    DurableFiles.write(unfinished, stored.source());
    Files.move(unfinished, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.force(folder);
  }

  /** All deleted definitions; unfinished files of a crash do not count. */
  List<DeletedDefinition> load() throws IOException {
    List<DeletedDefinition> all = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.walk(directory, DEPTH)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          add(file, all);
        }
      }
    }
    return all;
  }

  private void add(Path file, List<DeletedDefinition> to) throws IOException {
    Path relative = directory.relativize(file);
    String name = file.getFileName().toString();
    Matcher matcher = NAME.matcher(name);
    String mediaType = DefinitionFileNames.mediaType(name);
    boolean one = relative.getNameCount() == DEPTH && !name.startsWith(UNFINISHED);
    if (one && mediaType != null && matcher.matches()) {
      DefinitionKey key =
          new DefinitionKey(
              relative.getName(0).toString(),
              relative.getName(1).toString(),
              matcher.group("version"));
      to.add(
          new DeletedDefinition(
              new StoredDefinition(
                  key, mediaType, Files.readString(file), 0, PinnedDocumentFiles.read(file)),
              Long.parseUnsignedLong(matcher.group("fingerprint"), 16)));
    }
  }
}
