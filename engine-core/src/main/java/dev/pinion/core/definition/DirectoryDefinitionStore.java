package dev.pinion.core.definition;

import dev.pinion.core.model.DefinitionKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each definition in a separate file: {@code <namespace>/<name>/<version>.yaml}, or {@code
 * .json}, with its checksum and the documents to which it refers next to it.
 *
 * <p>A file is written in the same folder under a name that begins with a dot, forced to disk, and
 * renamed after its documents and its checksum were written, so a definition is complete or absent,
 * and a later loss or change is noticed. The rest of a save that a crash interrupted is removed on
 * load. Processes that share the directory take turns by a lock on a file in it, which the
 * operating system releases when its holder dies. An unexpected file in the directory is refused by
 * name, because ignoring it could hide a lost definition. Deleted definitions are kept below {@code
 * .deleted}, marks of disabled ones below {@code .disabled}. The time of a file is that of its
 * deployment.
 */
public final class DirectoryDefinitionStore implements DefinitionStore {
  private static final String UNFINISHED = ".unfinished-";

  /** Names of a path within the directory: namespace, name and file. */
  private static final int DEPTH = 3;

  private final Path directory;
  private final DeletedDefinitionFiles deleted;
  private final DisabledMarks disabled;

  /**
   * A store in a directory, which is created when it is missing, unless the one above it is missing
   * too.
   */
  public DirectoryDefinitionStore(Path directory) {
    this.directory = directory;
    this.deleted = new DeletedDefinitionFiles(directory);
    this.disabled = new DisabledMarks(directory);
  }

  @Override
  public List<StoredDefinition> load() {
    try {
      Path place = directory.toAbsolutePath();
      DurableFiles.create(Objects.requireNonNullElse(place.getParent(), place), place);
      try (DirectoryLock _ = DirectoryLock.take(directory)) {
        return loadFiles();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<StoredDefinition> loadFiles() throws IOException {
    for (Path file : files()) {
      if (isUnfinished(file)) {
        deleteUnfinished(file);
      }
    }
    List<StoredDefinition> definitions = new ArrayList<>();
    for (Path file : files()) {
      if (DefinitionChecksum.isSum(file)) {
        checkPresent(file);
      } else if (PinnedDocumentFiles.isDocuments(file)) {
        deleteOrphan(file);
      } else {
        definitions.add(read(file));
      }
    }
    return definitions;
  }

  /** Deletes documents whose definition was deleted before a crash. */
  private static void deleteOrphan(Path documents) throws IOException {
    Path definition = PinnedDocumentFiles.definitionOf(documents);
    if (!Files.exists(definition) && !Files.exists(DefinitionChecksum.of(definition))) {
      Files.delete(documents);
    }
  }

  private static boolean isUnfinished(Path file) {
    return String.valueOf(file.getFileName()).startsWith(UNFINISHED);
  }

  /**
   * Deletes an unfinished file, its checksum first: alone it would report a lost definition. Its
   * documents go with it.
   */
  private static void deleteUnfinished(Path unfinished) throws IOException {
    String version = unfinished.getFileName().toString().substring(UNFINISHED.length());
    for (String extension : DefinitionFileNames.EXTENSIONS.values()) {
      Path definition = unfinished.resolveSibling(version + extension);
      if (!Files.exists(definition)) {
        Files.deleteIfExists(DefinitionChecksum.of(definition));
        Files.deleteIfExists(PinnedDocumentFiles.of(definition));
      }
    }
    Files.delete(unfinished);
  }

  /** The place of a definition before it is renamed. */
  private static Path unfinished(Path definition) {
    String name = definition.getFileName().toString();
    return definition.resolveSibling(UNFINISHED + name.substring(0, name.lastIndexOf('.')));
  }

  private static void checkPresent(Path sum) throws IOException {
    Path definition = DefinitionChecksum.definitionOf(sum);
    if (!Files.exists(definition)) {
      throw new IOException(
          "expected the definition "
              + definition
              + ", as "
              + sum
              + " is its checksum, found no file; put a copy of it back");
    }
  }

  /** The problems of the files, each naming one; changes nothing and takes no lock. */
  public List<String> problems() throws IOException {
    List<String> problems = new ArrayList<>();
    for (Path file : Files.isDirectory(directory) ? files() : List.<Path>of()) {
      try {
        if (DefinitionChecksum.isSum(file)) {
          if (!Files.exists(unfinished(DefinitionChecksum.definitionOf(file)))) {
            checkPresent(file);
          }
        } else if (!isUnfinished(file) && !PinnedDocumentFiles.isDocuments(file)) {
          read(file);
        }
      } catch (IOException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    return problems;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> !Files.isDirectory(file) && !isLock(file))
          .filter(file -> !deleted.holds(file) && !disabled.holds(file))
          .sorted()
          .toList();
    }
  }

  private boolean isLock(Path file) {
    return file.equals(directory.resolve(DirectoryLock.NAME));
  }

  private StoredDefinition read(Path file) throws IOException {
    Path relative = directory.relativize(file);
    String name = file.getFileName().toString();
    for (Map.Entry<String, String> extension : DefinitionFileNames.EXTENSIONS.entrySet()) {
      if (relative.getNameCount() == DEPTH && name.endsWith(extension.getValue())) {
        String version = name.substring(0, name.length() - extension.getValue().length());
        DefinitionKey key =
            new DefinitionKey(
                relative.getName(0).toString(), relative.getName(1).toString(), version);
        return new StoredDefinition(
            key,
            extension.getKey(),
            text(file),
            Files.getLastModifiedTime(file).toMillis(),
            PinnedDocumentFiles.read(file));
      }
    }
    throw new IOException(
        "expected <namespace>/<name>/<version>.yaml or .json among the definitions, found "
            + file
            + "; move it elsewhere");
  }

  private static String text(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    DefinitionChecksum.check(file, content);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException("expected text in UTF-8 in " + file + ", found other bytes", e);
    }
  }

  @Override
  public @Nullable StoredDefinition find(DefinitionKey key) {
    try {
      checkThere();
      try (DirectoryLock _ = DirectoryLock.take(directory)) {
        Path standing = standing(key);
        return standing == null ? null : read(standing);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public @Nullable StoredDefinition save(StoredDefinition definition) {
    try {
      checkThere();
      try (DirectoryLock _ = DirectoryLock.take(directory)) {
        return saveFile(definition);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Refuses a folder that is gone: definitions loaded from it must not begin a new one. */
  private void checkThere() throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IOException(
          "expected the folder of definitions "
              + directory
              + ", found none: is its volume mounted?");
    }
  }

  private @Nullable StoredDefinition saveFile(StoredDefinition definition) throws IOException {
    Path standing = standing(definition.key());
    if (standing != null) {
      return read(standing);
    }
    Path file = file(definition);
    Path folder = folder(definition.key());
    disabled.set(definition.key(), false);
    DurableFiles.create(directory, folder);
    Path unfinished = unfinished(file);
    DurableFiles.write(unfinished, definition.source(), definition.deployedAtMillis());
    DurableFiles.force(folder);
    if (!definition.documents().isEmpty()) {
      DurableFiles.write(
          PinnedDocumentFiles.of(file), PinnedDocumentFiles.text(definition.documents()));
    }
    byte[] content = definition.source().getBytes(StandardCharsets.UTF_8);
    DurableFiles.write(DefinitionChecksum.of(file), DefinitionChecksum.text(file, content));
    DurableFiles.force(folder);
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.force(folder);
    return null;
  }

  /** The file of a definition, or null. */
  private @Nullable Path standing(DefinitionKey key) {
    for (String extension : DefinitionFileNames.EXTENSIONS.values()) {
      Path file = folder(key).resolve(key.version() + extension);
      if (Files.exists(file)) {
        return file;
      }
    }
    return null;
  }

  @Override
  public boolean delete(StoredDefinition definition, long fingerprint) {
    try (DirectoryLock _ = DirectoryLock.take(directory)) {
      Path file = file(definition);
      if (Files.exists(file)) {
        if (!isUnchanged(file, definition)) {
          return false;
        }
        deleted.add(new DeletedDefinition(definition, fingerprint));
        // A crash in between leaves a definition without a checksum, like one put there by hand.
        Files.deleteIfExists(DefinitionChecksum.of(file));
        DurableFiles.force(folder(definition.key()));
        Files.delete(file);
        DurableFiles.force(folder(definition.key()));
        Files.deleteIfExists(PinnedDocumentFiles.of(file));
        disabled.set(definition.key(), false);
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file put there by hand meanwhile has no other copy. */
  private static boolean isUnchanged(Path file, StoredDefinition definition) throws IOException {
    byte[] inForce = definition.source().getBytes(StandardCharsets.UTF_8);
    return Arrays.equals(inForce, Files.readAllBytes(file));
  }

  @Override
  public List<DeletedDefinition> deleted() {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (DirectoryLock _ = DirectoryLock.take(directory)) { // others rename the files that they add
      return deleted.load();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean setEnabled(DefinitionKey key, boolean enabled) {
    try {
      checkThere();
      try (DirectoryLock _ = DirectoryLock.take(directory)) {
        boolean there = standing(key) != null;
        if (there) {
          disabled.set(key, !enabled);
        }
        return there;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean isEnabled(DefinitionKey key) {
    return !disabled.has(key);
  }

  @Override
  public Set<DefinitionKey> disabled() {
    if (!Files.isDirectory(directory)) {
      return Set.of();
    }
    try (DirectoryLock _ = DirectoryLock.take(directory)) { // others add and remove marks
      return disabled.load();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String location(StoredDefinition definition) {
    return file(definition).toString();
  }

  private Path file(StoredDefinition definition) {
    DefinitionKey key = definition.key();
    return folder(key)
        .resolve(key.version() + DefinitionFileNames.extension(definition.mediaType()));
  }

  private Path folder(DefinitionKey key) {
    return directory.resolve(key.namespace()).resolve(key.name());
  }
}
