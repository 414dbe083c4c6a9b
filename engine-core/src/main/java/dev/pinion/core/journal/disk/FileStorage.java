package dev.pinion.core.journal.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files of the operating system. Forces with {@code fdatasync}; renames atomically; assumes that
 * the disk writes a sector of 512 bytes whole or not at all.
 *
 * <p>Files are opened, renamed and deleted by path. When another folder appears under that path
 * later, as after a volume is mounted over it, every operation that would change a file fails. Open
 * files remain those of the first folder.
 */
public final class FileStorage implements Storage {
  private final Path directory;

  /** Device and number of the directory; null on a file system without numbers. */
  private final @Nullable Object key;

  /** Opened when it is first forced, so that later forces need no file descriptor. */
  private @Nullable FileChannel folder;

  /** Files of an existing directory. */
  public FileStorage(Path directory) throws IOException {
    this.directory = directory.toRealPath();
    this.key = key(this.directory);
  }

  private static @Nullable Object key(Path directory) throws IOException {
    return Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
  }

  /**
   * Files of a directory, which is created durably when it is missing.
   *
   * @throws IOException also when the directory above it is missing: its volume may be gone
   */
  public static FileStorage create(Path directory) throws IOException {
    make(directory.toAbsolutePath());
    return new FileStorage(directory);
  }

  private static void make(Path folder) throws IOException {
    Path parent = folder.getParent();
    if (Files.isDirectory(folder) || parent == null) {
      return;
    }
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
    forceDirectory(parent);
  }

  private void checkSame() throws IOException {
    if (!Objects.equals(key, key(directory))) {
      throw new IOException(
          "expected the folder that was opened as "
              + directory
              + ", found another one under this path: mount or restore the first one, then start"
              + " again");
    }
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw StorageFailures.classified("list " + directory, e);
    }
  }

  @Override
  public StorageFile create(String name) throws IOException {
    checkSame();
    return open(
        name, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public StorageFile open(String name) throws IOException {
    checkSame();
    return open(name, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public StorageFile openToRead(String name) throws IOException {
    return open(name, StandardOpenOption.READ);
  }

  private StorageFile open(String name, OpenOption... options) throws IOException {
    Path file = directory.resolve(name);
    try {
      return new ChannelFile(file, FileChannel.open(file, options));
    } catch (IOException e) {
      throw StorageFailures.classified("open " + file, e);
    }
  }

  @Override
  public StorageMapping map(String name) throws IOException {
    checkSame();
    Path file = directory.resolve(name);
    Arena arena = Arena.ofShared();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new MappedFile(
          file, arena, channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena));
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    checkSame();
    try {
      Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw StorageFailures.classified("rename " + directory.resolve(from) + " to " + to, e);
    }
  }

  @Override
  public void delete(String name) throws IOException {
    checkSame();
    Files.delete(directory.resolve(name));
  }

  @Override
  public synchronized void forceDirectory() throws IOException {
    FileChannel open = folder;
    if (open == null || !open.isOpen()) {
      checkSame();
      open = openDirectory(directory);
      folder = open;
    }
    open.force(true);
  }

  @Override
  public long usableBytes() {
    return volumeBytes() == Long.MAX_VALUE ? Long.MAX_VALUE : directory.toFile().getUsableSpace();
  }

  /** Size of the whole volume; {@link Long#MAX_VALUE} when that is not known. */
  public long volumeBytes() {
    return volumeBytes(directory);
  }

  /** Size of the whole volume of a folder; {@link Long#MAX_VALUE} when that is not known. */
  public static long volumeBytes(Path folder) {
    long total = folder.toFile().getTotalSpace();
    return total == 0 ? Long.MAX_VALUE : total;
  }

  @Override
  public synchronized void close() throws IOException {
    FileChannel open = folder;
    folder = null;
    if (open != null) {
      open.close();
    }
  }

  private static FileChannel openDirectory(Path directory) throws IOException {
    try {
      return FileChannel.open(directory, StandardOpenOption.READ);
    } catch (IOException e) {
      throw StorageFailures.classified("open " + directory, e);
    }
  }

  private static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = openDirectory(directory)) {
      channel.force(true);
    }
  }

  @Override
  public StorageLock lock(String name, String holder) throws IOException {
    checkSame();
    return FileLocks.exclusive(directory.resolve(name), holder);
  }

  @Override
  public StorageLock lockShared(String name) throws IOException {
    return FileLocks.shared(directory.resolve(name));
  }

  @Override
  public String location(String name) {
    return directory.resolve(name).toString();
  }
}
