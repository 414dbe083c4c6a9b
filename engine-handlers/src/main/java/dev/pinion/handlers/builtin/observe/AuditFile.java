package dev.pinion.handlers.builtin.observe;

import dev.pinion.handlers.builtin.Digests;
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
 * A file of records that names each one's predecessor by its hash: nothing can be changed, removed
 * or inserted without a break that {@link #verify} finds. Missing records at the end, or a file
 * that was rewritten as a whole, are found by a hash that is stored elsewhere.
 *
 * <p>A record is a line: the JSON of the event, a space, and 64 hexadecimal digits, the SHA-256 of
 * the digits of the line before and that JSON. Only ever appended to, by one process; safe for use
 * by any thread.
 */
public final class AuditFile implements AutoCloseable {
  /** Substitute for the hash of a line before the first one. */
  public static final String GENESIS = "0".repeat(64);

  /** The longest line, in bytes. */
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
   * Opens a file, or makes one. It is verified completely first; the rest of an incomplete record
   * at its end is cut off.
   *
   * @throws IOException when it is damaged, open in another process, or unusable
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

  /** Sets the bound in force from now on. */
  synchronized void adopt(long otherMaxBytes) {
    maxBytes = otherMaxBytes;
  }

  /**
   * Appends a record.
   *
   * @param json one line of JSON
   * @param forced whether it is on disk when this returns; records of several threads share a force
   * @throws IOException when it may not be recorded
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
    broken = true; // until it is written completely
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
      if (forceFailed) { // a failed force of another thread, which should have covered this record
        throw new IOException(
            "expected an audit file that takes records, found " + path + " failing before");
      }
      long written = size();
      try {
        channel.force(false);
      } catch (IOException e) {
        // The state after a failed force is unknown, and a second one does not reveal it
        // (fsync-gate).
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

  /** Number of records. */
  synchronized long records() {
    return records;
  }

  /** The hash of the last record. */
  synchronized String head() {
    return head;
  }

  /** Forces the file to disk, and closes it. */
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
   * @throws DamagedAuditException when one does not fit; the message names it
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
   * The content of a file.
   *
   * @param records number of records
   * @param head the hash of the last one, or {@link #GENESIS}
   * @param wholeBytes size of all whole lines
   * @param tornBytes size of an incomplete line after them
   */
  public record Verified(long records, String head, long wholeBytes, long tornBytes) {}

  /** A record that does not follow from the one before. */
  public static final class DamagedAuditException extends IOException {
    /** Damage of a record, numbered from 1. */
    DamagedAuditException(long record, String message) {
      super("record " + record + ": " + message);
    }
  }
}
