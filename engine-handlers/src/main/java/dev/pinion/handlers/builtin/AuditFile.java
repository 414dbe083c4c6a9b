package dev.pinion.handlers.builtin;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of records that names each one's predecessor by its hash: nothing can be changed, taken
 * out or put in between without a break that {@link #verify} finds. What is missing at the end, or
 * a file that was written anew as a whole, is found by a hash that was kept elsewhere.
 *
 * <p>A record is a line: the JSON of what happened, a space, and 64 hexadecimal digits, the SHA-256
 * of the digits of the line before and that JSON. Only ever appended to, by one process; safe for
 * use by any thread.
 */
public final class AuditFile implements AutoCloseable {
  /** What stands for the hash of the line before the first one. */
  public static final String GENESIS = "0".repeat(64);

  /** The longest line that is read, in bytes. */
  static final int MAX_LINE_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);

  private final Path path;
  private final FileChannel channel;

  // Guarded by this.
  private long maxBytes;
  private long size;
  private long records;
  private String head;
  private boolean broken;

  // Guarded by the lock of forcing.
  private final Object forcing = new Object();
  private long forcedSize;
  private boolean forceFailed;

  /**
   * Opens a file, or makes one. All of it is verified first; the remains of a record that was never
   * whole are cut off.
   *
   * @throws IOException when it is damaged, when another process has it, or cannot be used
   */
  AuditFile(Path path, long maxBytes) throws IOException {
    this.path = path;
    this.maxBytes = maxBytes;
    this.channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() == null) {
        throw new IOException("another process writes to " + path);
      }
      Verified found = verify(path);
      if (found.tornBytes > 0) {
        LOG.warn("cut off {} B of a record of {} that was never whole", found.tornBytes, path);
        channel.truncate(found.wholeBytes);
      }
      this.size = found.wholeBytes;
      this.forcedSize = size;
      this.records = found.records;
      this.head = found.head;
      channel.position(size);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Goes by another bound from now on. */
  synchronized void adopt(long otherMaxBytes) {
    maxBytes = otherMaxBytes;
  }

  /**
   * Appends a record.
   *
   * @param json one line of JSON
   * @param forced whether it is on disk when this returns; records of several threads share a force
   * @throws IOException when it is not recorded for sure
   */
  void append(String json, boolean forced) throws IOException {
    long end = write(json);
    if (forced) {
      force(end);
    }
  }

  private synchronized long write(String json) throws IOException {
    String hash = hash(head, json);
    byte[] line = (json + " " + hash + "\n").getBytes(StandardCharsets.UTF_8);
    if (broken || line.length > MAX_LINE_BYTES || size + line.length > maxBytes) {
      throw new IOException(
          broken
              ? "expected an audit file that takes records, found " + path + " failing before"
              : "expected a record of at most "
                  + MAX_LINE_BYTES
                  + " B and room for it below "
                  + maxBytes
                  + " B in "
                  + path
                  + ", found none; begin another file");
    }
    broken = true; // until all of it is there
    ByteBuffer bytes = ByteBuffer.wrap(line);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    broken = false;
    size += line.length;
    records++;
    head = hash;
    return size;
  }

  private void force(long end) throws IOException {
    synchronized (forcing) {
      if (forcedSize >= end) {
        return; // by another thread's force
      }
      if (forceFailed) { // that of another thread, which was to cover this record too
        throw new IOException(
            "expected an audit file that takes records, found " + path + " failing before");
      }
      long written = size();
      try {
        channel.force(false);
      } catch (IOException e) {
        // What a failed force leaves is not known, and a second one does not tell (fsync-gate).
        forceFailed = true;
        synchronized (this) {
          broken = true;
        }
        throw e;
      }
      forcedSize = written;
    }
  }

  private synchronized long size() {
    return size;
  }

  /** How many records there are. */
  synchronized long records() {
    return records;
  }

  /** The hash of the last record. */
  synchronized String head() {
    return head;
  }

  /** Forces what is there, and ends. */
  @Override
  public void close() throws IOException {
    try {
      force(size());
    } finally {
      channel.close();
    }
  }

  static String hash(String before, String json) {
    byte[] hash =
        Digests.sha256(
            before.getBytes(StandardCharsets.US_ASCII), json.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash);
  }

  /**
   * Reads a whole file and checks each record against the one before.
   *
   * @throws DamagedAuditException when one does not fit; says which
   * @throws IOException when the file cannot be read
   */
  public static Verified verify(Path path) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
      long records = 0;
      long whole = 0;
      String head = GENESIS;
      byte[] line = new byte[MAX_LINE_BYTES];
      while (true) {
        int length = line(in, line, records + 1);
        if (length < 0) {
          return new Verified(records, head, whole, -1 - length);
        }
        head = checked(new String(line, 0, length, StandardCharsets.UTF_8), head, records + 1);
        whole += length + 1;
        records++;
      }
    }
  }

  /** The length of the next line without its line feed; -1 - N when the file ends after N bytes. */
  private static int line(InputStream in, byte[] line, long number) throws IOException {
    int length = 0;
    int next = in.read();
    while (next >= 0 && next != '\n') {
      if (length == line.length) {
        throw new DamagedAuditException(number, "expected a record, found too long a line");
      }
      line[length] = (byte) next;
      length++;
      next = in.read();
    }
    return next < 0 ? -1 - length : length;
  }

  private static String checked(String line, String before, long number)
      throws DamagedAuditException {
    int at = line.length() - 65;
    String found = at < 0 ? "" : line.substring(at + 1);
    if (at < 0 || line.charAt(at) != ' ' || !hash(before, line.substring(0, at)).equals(found)) {
      throw new DamagedAuditException(
          number, "expected the hash that follows from record " + (number - 1) + ", found another");
    }
    return found;
  }

  /**
   * What is in a file.
   *
   * @param records how many records
   * @param head the hash of the last one, or {@link #GENESIS}
   * @param wholeBytes their size
   * @param tornBytes what follows them and is no whole line
   */
  public record Verified(long records, String head, long wholeBytes, long tornBytes) {}

  /** A record that does not follow from the one before. */
  public static final class DamagedAuditException extends IOException {
    /** What is wrong with which record, from 1 on. */
    DamagedAuditException(long record, String message) {
      super("record " + record + ": " + message);
    }
  }
}
