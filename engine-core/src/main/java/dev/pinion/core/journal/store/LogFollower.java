package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import dev.pinion.core.journal.disk.StorageLock;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Follows a log while its writer writes it, usually in another process: reads a snapshot first,
 * then the records after it that are on disk, and further ones as they come. Single-threaded.
 *
 * <p>It takes no lock while it follows, so that a follower that is slow does not fill the disk;
 * unread records may be deleted, which {@link SegmentGoneException} reports. Begin again then.
 */
public final class LogFollower implements Closeable {
  private final Storage storage;
  private final LogFormat format;
  private final long base;
  private long durable;
  private SegmentHeader header;
  private StorageFile file;
  private SegmentScan scan;

  private LogFollower(Storage storage, LogFormat format, long base, SegmentHeader header)
      throws IOException {
    this.storage = storage;
    this.format = format;
    this.base = base;
    this.header = header;
    this.file = storage.openToRead(LogFileNames.segment(header.number()));
    this.scan = scan();
  }

  private SegmentScan scan() {
    return new SegmentScan(new RecordReader(file, format.id(), header.segmentBytes()), header);
  }

  /**
   * Begins to follow: with the last snapshot that is not later than the last known record, else
   * with the oldest snapshot; without any, at the beginning.
   *
   * @param known the last record whose effects are known; 0 for none
   * @param visitor receives the entries of the snapshot
   * @throws NotMadeYetException when there is no log yet
   * @throws JournalFormatException when it is no log, one of an unknown version, or parts are
   *     missing
   * @throws JournalDamagedException when it is not as it was written
   */
  public static LogFollower open(Storage storage, long known, RecordVisitor visitor)
      throws IOException {
    LogFormat format = format(storage);
    try (StorageLock _ = storage.lockShared(LogFileNames.READERS)) {
      NavigableMap<Long, SegmentHeader> headers = headers(storage, format);
      long base = base(storage, headers.firstEntry().getValue().firstPosition(), known);
      if (base > 0) {
        SnapshotReader.read(storage, format.id(), base, _ -> true, visitor::onEntry);
      }
      return new LogFollower(storage, format, base, holding(headers, base + 1));
    }
  }

  private static LogFormat format(Storage storage) throws IOException {
    if (LogCreation.isDue(storage) || !storage.list().contains(LogFileNames.READERS)) {
      throw new NotMadeYetException(storage.location(LogFileNames.FORMAT));
    }
    return LogFormat.read(storage);
  }

  /**
   * The identity of a log.
   *
   * @throws NotMadeYetException when there is no log yet
   * @throws JournalFormatException when it is no log, or one of an unknown version
   */
  public static LogId identity(Storage storage) throws IOException {
    return format(storage).id();
  }

  /**
   * The last record of a log that is on disk now.
   *
   * @throws NotMadeYetException when there is no log yet
   * @throws JournalFormatException when it is no log, or one of an unknown version
   * @throws JournalDamagedException when that cannot be determined
   */
  public static long durable(Storage storage) throws IOException {
    return ForcedPosition.read(storage, format(storage).id(), new ArrayList<>()).durable();
  }

  /** Consecutive segments up to the last one, by number. */
  private static NavigableMap<Long, SegmentHeader> headers(Storage storage, LogFormat format)
      throws IOException {
    NavigableSet<Long> numbers = LogDirectory.of(storage).segments();
    NavigableMap<Long, SegmentHeader> headers = new TreeMap<>();
    for (long number = numbers.isEmpty() ? 0 : numbers.getLast();
        numbers.contains(number);
        number--) {
      headers.put(number, SegmentHeader.read(storage, format.id(), number));
    }
    if (headers.isEmpty()) {
      throw new JournalFormatException(
          "expected segments of a journal, found none at " + storage.location(LogFileNames.FORMAT));
    }
    return headers;
  }

  private static long base(Storage storage, long first, long known) throws IOException {
    NavigableSet<Long> bases = new TreeSet<>(LogDirectory.of(storage).snapshots());
    bases.add(0L);
    bases.removeIf(base -> base + 1 < first);
    Long before = bases.floor(known);
    Long after = bases.ceiling(known);
    if (before == null && after == null) {
      throw new JournalFormatException(
          "expected a snapshot from "
              + (first - 1)
              + " on, where the oldest segment begins, found none at "
              + storage.location(LogFileNames.FORMAT));
    }
    return before != null ? before : after;
  }

  private static SegmentHeader holding(NavigableMap<Long, SegmentHeader> headers, long position) {
    SegmentHeader found = headers.firstEntry().getValue();
    for (SegmentHeader header : headers.values()) {
      found = header.firstPosition() <= position ? header : found;
    }
    return found;
  }

  /** The position of the snapshot that it began with; 0 for the beginning of the log. */
  public long base() {
    return base;
  }

  /** The last record read. */
  public long position() {
    return Math.max(base, scan.position());
  }

  /** The last record on disk, as of the last {@link #read}. */
  public long durable() {
    return durable;
  }

  /**
   * Reads records that were written since.
   *
   * @param most bound of the number of records
   * @param maxBytes bytes of all of them; at least one is read
   * @return number of records read
   * @throws SegmentGoneException when records were deleted before they were read
   * @throws JournalDamagedException when records are not as they were written
   */
  public int read(int most, long maxBytes, RecordVisitor visitor) throws IOException {
    durable = ForcedPosition.read(storage, format.id(), new ArrayList<>()).durable();
    scan.refresh();
    int read = 0;
    long bytes = 0;
    while (read < most && bytes < maxBytes && scan.position() < durable) {
      if (!scan.next()) {
        openNextSegment();
      } else if (scan.position() > base) {
        bytes += scan.record().payload().remaining();
        visit(scan.record(), visitor);
        read++;
      }
    }
    return read;
  }

  /**
   * Reports to the writer that a record and those before it are not needed any more, so that it
   * knows how far it is ahead.
   */
  public void acknowledge(long position) throws IOException {
    FollowerPosition.write(storage, position);
  }

  private static void visit(RecordReader record, RecordVisitor visitor) throws IOException {
    if (record.kind() != RecordFormat.AUDIT) {
      visitor.onRecord(
          record.position(), record.partition(), record.epoch(), record.kind(), record.payload());
    }
  }

  /** Continues in the next segment, which exists because the wanted record is on disk. */
  private void openNextSegment() throws IOException {
    String name = LogFileNames.segment(header.number());
    String flaw = scan.flaw();
    if (flaw != null) {
      throw new JournalDamagedException(
          storage.location(name),
          scan.offset(),
          "expected a record that is on disk, found " + flaw);
    }
    SegmentHeader next = next();
    if (next.firstPosition() != scan.position() + 1 || next.chain() != scan.chain()) {
      throw new JournalDamagedException(
          storage.location(LogFileNames.segment(next.number())),
          0,
          "expected a segment that follows record " + scan.position() + ", found another");
    }
    StorageFile opened = storage.openToRead(LogFileNames.segment(next.number()));
    file.close();
    header = next;
    file = opened;
    scan = scan();
  }

  private SegmentHeader next() throws IOException {
    long number = header.number() + 1;
    if (!storage.list().contains(LogFileNames.segment(number))) {
      throw new SegmentGoneException(
          storage.location(LogFileNames.segment(number)), scan.position());
    }
    return SegmentHeader.read(storage, format.id(), number);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** There is no log yet: its writer is creating it, or has not begun to. */
  public static final class NotMadeYetException extends IOException {
    private static final long serialVersionUID = 1;

    private NotMadeYetException(String place) {
      super("expected a journal, found no complete one at " + place);
    }
  }

  /** The records that a follower would read next have been deleted. */
  public static final class SegmentGoneException extends IOException {
    private static final long serialVersionUID = 1;

    private SegmentGoneException(@Nullable String place, long position) {
      super(
          "expected records after "
              + position
              + " in "
              + place
              + ", found that a snapshot has replaced them");
    }
  }
}
