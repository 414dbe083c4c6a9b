package dev.pinion.broker.registry;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.call.CallbackAddresses;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The broker's documents in the data folder, each with a checksum at its end, replaced atomically
 * and durably. Any number of processes read; those that write take {@linkplain #lock turns}.
 */
public final class BrokerFolder {
  /** The longest wait for a {@linkplain #lock turn}: its holder only writes a file. */
  public static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

  /** Interval of attempts to get it. */
  private static final Duration TURN_LOOK = Duration.ofMillis(5);

  private static final String CHECKSUM = "crc32c ";

  /** {@value #CHECKSUM}, eight digits and the end of the line. */
  private static final int CHECKSUM_BYTES = CHECKSUM.length() + 9;

  private static final int MAX_ENGINE_BYTES = 64;

  private final Path folder;

  /** The folder of a data directory. */
  public BrokerFolder(Path dataDirectory) {
    folder = dataDirectory.resolve("broker");
  }

  /** The file of the registry. */
  public Path registry() {
    return folder.resolve("registry.json");
  }

  /** The file of contracts. */
  public Path contracts() {
    return folder.resolve("contracts.json");
  }

  /** The file of the table. */
  public Path table() {
    return folder.resolve("table.json");
  }

  /** The file of observed qualities of services. */
  public Path calibration() {
    return folder.resolve("calibration.json");
  }

  /** Identity of this data folder, made at first: by it, several engines share a database. */
  public String engine() throws IOException {
    Path file = folder.resolve("engine");
    try (WriteLock _ = lock()) {
      byte[] known = read(file, MAX_ENGINE_BYTES);
      if (known != null) {
        return new String(known, StandardCharsets.US_ASCII);
      }
      String made = UUID.randomUUID().toString();
      write(file, made.getBytes(StandardCharsets.US_ASCII));
      return made;
    }
  }

  /**
   * The key for the addresses of late answers of services: made at first, known only to processes
   * that may read this folder.
   *
   * @param make whether to make it when there is none yet
   * @return null when there is none, and none was to be made
   */
  public byte @Nullable [] callbackSecret(boolean make) throws IOException {
    Path file = folder.resolve("callback.secret");
    if (!make && !Files.exists(file)) {
      return null;
    }
    try (WriteLock _ = lock()) {
      byte[] known = read(file, CallbackAddresses.SECRET_BYTES);
      if (known != null) {
        return known;
      }
      byte[] made = new byte[CallbackAddresses.SECRET_BYTES];
      new SecureRandom().nextBytes(made);
      writeSecret(file, made);
      return made;
    }
  }

  private static void writeSecret(Path file, byte[] secret) throws IOException {
    Path empty = preparing(file);
    Files.deleteIfExists(empty);
    if (Files.getFileStore(file.resolveSibling(".")).supportsFileAttributeView("posix")) {
      Files.createFile(
          empty,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    write(file, secret);
  }

  /** A turn at changing documents, taken by one process at a time. */
  public static final class WriteLock implements AutoCloseable {
    private final FileChannel file;
    private final FileLock lock;

    private WriteLock(FileChannel file, FileLock lock) {
      this.file = file;
      this.lock = lock;
    }

    @Override
    public void close() throws IOException {
      lock.release();
      file.close();
    }
  }

  /**
   * The exclusive right to decide for a data folder. The system releases it when its process ends,
   * in any way; a stopped process keeps it.
   */
  public static final class Lease implements AutoCloseable {
    private final FileChannel file;
    private final FileLock lock;

    private Lease(FileChannel file, FileLock lock) {
      this.file = file;
      this.lock = lock;
    }

    @Override
    public void close() throws IOException {
      lock.release();
      file.close();
    }
  }

  /** Takes the right to decide, or returns null if it is taken. */
  public @Nullable Lease lease() throws IOException {
    FileChannel file = opened("lease");
    FileLock lock = null;
    try {
      lock = file.tryLock();
    } catch (OverlappingFileLockException e) {
      // it is taken within this process
    } finally {
      if (lock == null) {
        file.close();
      }
    }
    return lock == null ? null : new Lease(file, lock);
  }

  /**
   * Waits for a turn, {@link #LOCK_TIMEOUT} at most; not for use by several threads of a process.
   *
   * @throws IOException when another process had it for all of that time, or the folder cannot be
   *     written
   */
  public WriteLock lock() throws IOException {
    return turn(LOCK_TIMEOUT);
  }

  WriteLock turn(Duration patience) throws IOException {
    FileChannel file = opened("lock");
    Clock clock = Clock.system();
    long began = clock.nanoTime();
    FileLock lock = file.tryLock();
    while (lock == null && clock.nanoTime() - began < patience.toNanos()) {
      LockSupport.parkNanos(TURN_LOOK.toNanos());
      lock = file.tryLock();
    }
    if (lock == null) {
      file.close();
      throw new IOException(
          String.format(
              Locale.ROOT,
              "expected a turn at changing %s within %d ms, found that another process has it all"
                  + " the time; end that process and try again",
              folder,
              patience.toMillis()));
    }
    return new WriteLock(file, lock);
  }

  private FileChannel opened(String name) throws IOException {
    makeFolder();
    return FileChannel.open(
        folder.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** Makes the folder within the data folder, which is never made here: its volume may be gone. */
  private void makeFolder() throws IOException {
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
  }

  /**
   * Reads a document.
   *
   * @param maxBytes the most bytes it may have
   * @return null when there is none
   * @throws IOException when it is damaged or too large; the message names it
   */
  public static byte @Nullable [] read(Path file, long maxBytes) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    if (Files.size(file) > maxBytes + CHECKSUM_BYTES) {
      throw new IOException(
          "expected at most " + maxBytes + " bytes in " + file + ", found " + Files.size(file));
    }
    byte[] bytes = Files.readAllBytes(file);
    int length = bytes.length - CHECKSUM_BYTES;
    if (length < 0 || !Arrays.equals(sealed(Arrays.copyOf(bytes, length)), bytes)) {
      throw new IOException(
          "expected a document with its checksum in "
              + file
              + ", found other bytes: the file is damaged; put a copy of it back");
    }
    return Arrays.copyOf(bytes, length);
  }

  /** Replaces or creates a document: it is on disk completely when this returns. */
  public static void write(Path file, byte[] document) throws IOException {
    Path preparing = preparing(file);
    Files.write(preparing, sealed(document));
    force(preparing);
    Files.move(
        preparing, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    force(file.resolveSibling(".").normalize());
  }

  private static Path preparing(Path file) {
    return file.resolveSibling("preparing-" + file.getFileName());
  }

  private static byte[] sealed(byte[] document) {
    CRC32C crc = new CRC32C();
    crc.update(document);
    byte[] checksum =
        String.format(Locale.ROOT, "%s%08x\n", CHECKSUM, crc.getValue())
            .getBytes(StandardCharsets.US_ASCII);
    byte[] sealed = Arrays.copyOf(document, document.length + checksum.length);
    System.arraycopy(checksum, 0, sealed, document.length, checksum.length);
    return sealed;
  }

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
