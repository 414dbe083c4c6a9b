package dev.pinion.bootstrap.history;

import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.store.DiskReserve;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.recovery.JournalFollower;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Room of the history's file on its volume. The file grows only while the volume has room for the
 * next files of all journals, so that starts are not refused because of it. A separate reserve
 * makes deletions possible when others have filled the volume. One thread.
 */
final class HistoryRoom {
  /** Segments of each journal that must find room beside the history. */
  private static final int SEGMENTS_LEFT = 4;

  /** Divisor: at most this part of a small volume is left to journals. */
  private static final int PART_LEFT = 4;

  /** Divisor: the history may take this part of its volume, whatever fills the rest. */
  private static final int PART_ENSURED = 16;

  /** Most bytes that the history may take in any case. */
  private static final long MOST_ENSURED_BYTES = 16L << 20;

  /** Divisor: the reserve takes at most this part of the volume. */
  private static final int PART_RESERVED = 32;

  private static final long MOST_RESERVED_BYTES = 8L << 20;

  /** Factor: a volume with this many times the room left to journals needs no reserve yet. */
  private static final int ROOMY = 16;

  /** A volume with fewer usable bytes is full. */
  private static final long LEAST_BYTES = 1L << 20;

  private final Volume volume;
  private final Path file;
  private final long segmentBytes;
  private int journals = 1;

  /** A volume. */
  interface Volume {
    /** Its size in bytes; {@link Long#MAX_VALUE} when that is not known. */
    long size();

    /** Bytes that may still be written; {@link Long#MAX_VALUE} when that is not known. */
    long usable();
  }

  /**
   * The room of a file that need not exist yet.
   *
   * @param segmentBytes size of a file of a journal on the same volume
   */
  HistoryRoom(Volume volume, Path file, long segmentBytes) {
    this.volume = volume;
    this.file = file;
    this.segmentBytes = segmentBytes;
  }

  /** The room of a file on the volume of the data. */
  static HistoryRoom of(Path data, Path file, EngineLimits limits) throws IOException {
    return of(volume(data), file, limits);
  }

  /** The room of a file on a volume with journals. */
  static HistoryRoom of(Volume volume, Path file, EngineLimits limits) {
    return new HistoryRoom(volume, file, JournalFollower.segmentBytes(limits, volume.size()));
  }

  private static Volume volume(Path data) throws IOException {
    FileStorage storage = new FileStorage(data);
    return new Volume() {
      @Override
      public long size() {
        return storage.volumeBytes();
      }

      @Override
      public long usable() {
        return storage.usableBytes();
      }
    };
  }

  /** Sets the number of journals on the volume. */
  void journals(int count) {
    journals = Math.max(1, count);
  }

  /** Largest size of the file, in bytes. */
  long maxBytes() {
    long usable = volume.usable();
    if (usable == Long.MAX_VALUE) {
      return usable;
    }
    long ensured = Math.min(volume.size() / PART_ENSURED, MOST_ENSURED_BYTES);
    return Math.max(ensured, fileBytes() + Math.max(0, usable - leftBytes()));
  }

  /** Whether anything may still be written to the volume. */
  boolean hasMore() {
    return volume.usable() >= LEAST_BYTES;
  }

  /** Bytes left to journals. */
  private long leftBytes() {
    return Math.min(SEGMENTS_LEFT * segmentBytes * journals, volume.size() / PART_LEFT);
  }

  private long fileBytes() {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0; // it is being created
    }
  }

  /**
   * Creates the reserve, unless it exists, when the volume fills up while journals still have their
   * room.
   */
  void takeReserve() throws IOException {
    long bytes = Math.min(volume.size() / PART_RESERVED, MOST_RESERVED_BYTES);
    long usable = volume.usable();
    boolean needed = usable / ROOMY < leftBytes() && usable >= leftBytes() + bytes;
    if (needed && Files.exists(file)) {
      reserve().take(bytes);
    }
  }

  /** Releases the reserve; returns whether there was one. */
  boolean releaseReserve() throws IOException {
    return Files.exists(file) && reserve().release();
  }

  private DiskReserve reserve() throws IOException {
    return new DiskReserve(
        new FileStorage(Objects.requireNonNull(file.toAbsolutePath().getParent())));
  }
}
