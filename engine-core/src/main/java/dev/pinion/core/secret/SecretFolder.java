package dev.pinion.core.secret;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.SecretName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Secrets in a folder: the file {@code NAME}, or a folder {@code NAME} whose files are the members
 * of an object. Links are followed, as mounted secrets of containers need it.
 */
public final class SecretFolder implements SecretSource {
  private static final Logger LOG = LoggerFactory.getLogger(SecretFolder.class);

  /** Most files of one folder. */
  private static final int MAX_MEMBERS = 64;

  private static final Set<PosixFilePermission> WRITERS =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
  private static final Set<PosixFilePermission> READERS =
      EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  private final Path folder;
  private final String description;
  private final int maxBytes;
  private final SecretText texts;

  /** Secrets about whose permissions a warning was given. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  /**
   * Secrets in a folder, which need not exist.
   *
   * @param description name of the folder in messages
   * @param maxBytes most bytes of one secret
   * @param codec codec of those that are JSON objects
   */
  public SecretFolder(Path folder, String description, int maxBytes, PayloadCodec codec) {
    this.folder = folder;
    this.description = description;
    this.maxBytes = maxBytes;
    this.texts = new SecretText(codec);
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public @Nullable Payload read(String name) throws UnreadableSecretException {
    if (!SecretName.isValid(name)) {
      return null;
    }
    Path path = folder.resolve(name);
    try {
      if (Files.isDirectory(path)) {
        return members(name, path);
      }
      return Files.exists(path) ? texts.value(text(name, path, maxBytes)) : null;
    } catch (IOException e) {
      throw new UnreadableSecretException(
          "expected to read the secret \""
              + name
              + "\" from "
              + description
              + ", found: "
              + e.getClass().getSimpleName());
    }
  }

  private Payload members(String name, Path path) throws IOException, UnreadableSecretException {
    Map<String, Payload> members = new TreeMap<>();
    int left = maxBytes;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        String member = String.valueOf(file.getFileName());
        if (member.startsWith(".") || Files.isDirectory(file)) {
          continue; // such as ..data of a mounted secret
        }
        if (members.size() == MAX_MEMBERS) {
          throw new UnreadableSecretException(
              "expected at most " + MAX_MEMBERS + " files of the secret \"" + name + "\"");
        }
        String text = text(name, file, left);
        left -= text.getBytes(StandardCharsets.UTF_8).length;
        members.put(member, Payload.of(SecretText.withoutLineEnd(text)));
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return Payload.object(members);
  }

  private String text(String name, Path file, int most)
      throws IOException, UnreadableSecretException {
    if (!Files.isRegularFile(file)) {
      throw new UnreadableSecretException(
          "expected the secret \"" + name + "\" to be a file, found something else");
    }
    checkPermissions(name, file);
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new UnreadableSecretException(
            "expected the secret \""
                + name
                + "\" to have at most "
                + maxBytes
                + " bytes (authentication.maxSecretBytes), found more");
      }
      return SecretText.decoded(name, bytes);
    }
  }

  /** Refuses what others may write, and warns once of what others may read. */
  private void checkPermissions(String name, Path file)
      throws IOException, UnreadableSecretException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    Set<PosixFilePermission> found = Files.getPosixFilePermissions(file);
    if (found.stream().anyMatch(WRITERS::contains)) {
      throw new UnreadableSecretException(
          "expected the secret \""
              + name
              + "\" to be writable by its owner alone, found that others may write it: chmod go-w");
    }
    if (found.stream().anyMatch(READERS::contains) && told.add(name)) {
      LOG.warn(
          "other users may read the secret \"{}\" in {}; chmod 600 keeps it private",
          name,
          description);
    }
  }
}
