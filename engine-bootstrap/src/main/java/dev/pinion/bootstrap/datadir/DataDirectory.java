package dev.pinion.bootstrap.datadir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The folder of all durable data, opened by one engine at a time.
 *
 * <p>A folder gets its {@linkplain DataDirectoryIdentity identity} when it is new or empty, or when
 * an older version of Pinion wrote it. A folder with other content is refused and left unchanged.
 */
public final class DataDirectory implements AutoCloseable {
  /** Names of files in folders of versions without an identity. */
  private static final Set<String> OWN =
      Set.of(
          "lock",
          "definitions",
          "journal",
          "history",
          "subscriptions",
          "events",
          "broker",
          "crash");

  private static final String WARM_UP = "warm-up-";

  /** Folder that file systems create at their top level. */
  private static final String OF_FILE_SYSTEM = "lost+found";

  private static final String PREPARING = "preparing-" + DataDirectoryIdentity.FILE;
  private static final int ID_BYTES = 16;

  private final DataDirectoryLock lock;
  private final DataDirectoryIdentity identity;

  private DataDirectory(DataDirectoryLock lock, DataDirectoryIdentity identity) {
    this.lock = lock;
    this.identity = identity;
  }

  /**
   * Opens a folder, which is created if missing, and increments its generation.
   *
   * @param warn receives a message when the generation cannot be written, for instance on a full
   *     disk, and stays unchanged
   * @throws IOException when another process has the folder, when it contains foreign files, or
   *     when it cannot be written
   */
  public static DataDirectory open(Path folder, Consumer<String> warn) throws IOException {
    checkOwn(folder);
    DataDirectoryLock lock = DataDirectoryLock.acquire(folder);
    try {
      Optional<DataDirectoryIdentity> known = DataDirectoryIdentity.read(folder);
      return new DataDirectory(
          lock, known.isPresent() ? counted(folder, known.get(), warn) : made(folder));
    } catch (IOException e) {
      lock.close();
      throw e;
    }
  }

  /** Identity of the folder. */
  public DataDirectoryIdentity identity() {
    return identity;
  }

  private static void checkOwn(Path folder) throws IOException {
    if (!Files.exists(folder) || DataDirectoryIdentity.isIn(folder)) {
      return;
    }
    List<String> names;
    try (Stream<Path> files = Files.list(folder)) {
      names = files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
    // a file with this name may be foreign, except a damaged one among own files
    boolean identified = names.stream().anyMatch(OWN::contains);
    List<String> foreign =
        names.stream()
            .filter(
                name -> !isOwn(name) && !(identified && name.equals(DataDirectoryIdentity.FILE)))
            .toList();
    if (!foreign.isEmpty() && !writtenByOlderVersion(folder)) {
      throw new IOException(
          "expected an empty folder or a data folder of Pinion (--data), found that "
              + folder
              + " holds "
              + some(foreign)
              + ": choose another folder, or move these away");
    }
  }

  private static boolean isOwn(String name) {
    return OWN.contains(name)
        || name.startsWith(WARM_UP)
        || name.equals(PREPARING)
        || name.equals(OF_FILE_SYSTEM);
  }

  /** Whether an engine has run with it, whatever foreign files are in it. */
  private static boolean writtenByOlderVersion(Path folder) {
    return Files.exists(folder.resolve("journal").resolve("journals"))
        || (Files.isRegularFile(folder.resolve("lock"))
            && Files.isDirectory(folder.resolve("crash")));
  }

  private static String some(List<String> names) {
    int shown = 3;
    String first = String.join(", ", names.subList(0, Math.min(shown, names.size())));
    return names.size() > shown ? first + " and " + (names.size() - shown) + " more" : first;
  }

  private static DataDirectoryIdentity made(Path folder) throws IOException {
    byte[] id = new byte[ID_BYTES];
    new SecureRandom().nextBytes(id);
    DataDirectoryIdentity identity = new DataDirectoryIdentity(HexFormat.of().formatHex(id), 1);
    Path preparing = folder.resolve(PREPARING);
    write(preparing, identity, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    Files.move(
        preparing, folder.resolve(DataDirectoryIdentity.FILE), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
    return identity;
  }

  /** Written in place, which needs no space: an engine starts on a full disk, too. */
  private static DataDirectoryIdentity counted(
      Path folder, DataDirectoryIdentity known, Consumer<String> warn) {
    DataDirectoryIdentity next = new DataDirectoryIdentity(known.id(), known.generation() + 1);
    try {
      write(folder.resolve(DataDirectoryIdentity.FILE), next);
      return next;
    } catch (IOException e) {
      warn.accept(
          "the generation of the data folder cannot be counted up and stays "
              + known.generation()
              + ": "
              + e.getMessage());
      return known;
    }
  }

  private static void write(Path file, DataDirectoryIdentity identity, StandardOpenOption... more)
      throws IOException {
    Set<StandardOpenOption> options = new HashSet<>(List.of(more));
    options.add(StandardOpenOption.WRITE);
    ByteBuffer text = StandardCharsets.US_ASCII.encode(identity.text());
    try (FileChannel channel = FileChannel.open(file, options, OwnerOnlyPermissions.ofFile(file))) {
      while (text.hasRemaining()) {
        channel.write(text);
      }
      channel.force(true);
    }
  }

  /** Releases the right to the folder. */
  @Override
  public void close() throws IOException {
    lock.close();
  }
}
