package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of the sockets between parent and replicas: private to this user, with a short path,
 * deleted at the end.
 */
public final class RunDirectory implements AutoCloseable {
  /** Bytes of the longest path of a socket, including its end (Linux, {@code unix(7)}). */
  static final int MAX_SOCKET_PATH_BYTES = 108;

  /** Bytes of that reserved for the name of a socket. */
  static final int SOCKET_NAME_BYTES = 40;

  private final Path path;

  /** Deletes the folder when a signal ends this JVM before it handles signals itself. */
  private final Thread lastResort = new Thread(this::deleteQuietly, "run-directory");

  private RunDirectory(Path path) {
    this.path = path;
  }

  /**
   * Creates a folder.
   *
   * @param base folder in which to create it, such as the one for temporary files
   * @throws IOException when it cannot be created, or when its path leaves too little space for the
   *     names of sockets
   */
  public static RunDirectory create(Path base) throws IOException {
    int most = MAX_SOCKET_PATH_BYTES - 1 - SOCKET_NAME_BYTES;
    Path path = createPrivate(base.toAbsolutePath());
    int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > most) {
      Files.delete(path);
      throw new IOException(
          "expected a folder for temporary files whose path is short, found "
              + base
              + ": sockets in it would have paths of more than "
              + (MAX_SOCKET_PATH_BYTES - 1)
              + " bytes; pass one by -Djava.io.tmpdir in JAVA_TOOL_OPTIONS");
    }
    RunDirectory directory = new RunDirectory(path);
    Runtime.getRuntime().addShutdownHook(directory.lastResort);
    return directory;
  }

  private static Path createPrivate(Path base) throws IOException {
    boolean posix = base.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? Files.createTempDirectory(
            base,
            "pinion-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
        : Files.createTempDirectory(base, "pinion-");
  }

  /** The folder. */
  public Path path() {
    return path;
  }

  /** Deletes the folder and its content. */
  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(lastResort);
    } catch (IllegalStateException e) {
      // This JVM is ending: the hook deletes it too.
    }
    delete();
  }

  private void deleteQuietly() {
    try {
      delete();
    } catch (IOException e) {
      System.err.println("expected to delete " + path + ", found: " + e.getMessage());
    }
  }

  private void delete() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(path)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path each : deepestFirst) {
      Files.deleteIfExists(each);
    }
  }
}
