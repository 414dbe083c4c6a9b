package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.LogLockedException;
import dev.pinion.core.journal.disk.ReadAheadBuffer;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import dev.pinion.core.journal.disk.StorageLock;
import dev.pinion.core.journal.disk.ZeroFill;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Repairs a log that does not open, by dropping every record after a position that the user names.
 * The engine itself never runs it.
 *
 * <p>Dropped records are kept in files whose names begin with {@code removed-}, the anchor is
 * rewritten, and an audit record describes the repair. Needs the log's lock. A repair that is
 * interrupted leaves a log that is refused, or one that the same repair completes.
 */
public final class JournalRepair {
  private final Storage storage;
  private final LogSettings settings;
  private final long keep;
  private final String who;
  private final String reason;
  private final long epochMillis;
  private final List<String> removed = new ArrayList<>();

  /**
   * Result of a repair.
   *
   * @param kept the last position that was kept
   * @param removed the files that hold the dropped records
   * @param audit the position of the audit record
   */
  public record RepairReport(long kept, List<String> removed, long audit) {}

  /**
   * A repair.
   *
   * @param keep the last position to keep; a snapshot or every record up to it must be whole
   * @param who name of the user
   * @param reason reason of the repair
   * @param epochMillis the time of day, for the audit record and the names of files
   */
  public JournalRepair(
      Storage storage,
      LogSettings settings,
      long keep,
      String who,
      String reason,
      long epochMillis) {
    this.storage = storage;
    this.settings = settings;
    this.keep = keep;
    this.who = who;
    this.reason = reason;
    this.epochMillis = epochMillis;
    if (reason.isBlank() || who.isBlank()) {
      throw new IllegalArgumentException(
          "expected user and reason of the repair, found '" + who + "' and '" + reason + "'");
    }
  }

  /** End of the kept part. */
  private record TruncationPoint(long segment, long offset, int chain) {}

  /**
   * Cuts the log.
   *
   * @throws JournalDamagedException when the part to keep is not whole; nothing has changed
   * @throws LogLockedException when the log is open
   */
  public RepairReport run() throws IOException {
    LogFormat format = LogFormat.read(storage);
    try (StorageLock _ =
        storage.lock(LogFileNames.LOCK, Long.toString(ProcessHandle.current().pid()))) {
      LogDirectory directory = LogDirectory.of(storage);
      long snapshot = snapshot(format.id(), directory);
      TruncationPoint truncationPoint = find(format.id(), directory, snapshot);
      // the anchor goes first: without it the log is refused until the repair is complete
      setAside(LogFileNames.ANCHOR);
      keepTail(truncationPoint);
      for (long number : directory.segments().tailSet(truncationPoint.segment(), false)) {
        setAside(LogFileNames.segment(number));
      }
      for (long position : directory.snapshots().tailSet(snapshot, false)) {
        setAside(LogFileNames.snapshot(position));
      }
      storage.forceDirectory();
      writeAnchor(format.id(), truncationPoint, snapshot);
    }
    return new RepairReport(keep, List.copyOf(removed), audit());
  }

  /** The newest whole snapshot within the kept part; 0 when there is none. */
  private long snapshot(LogId id, LogDirectory directory) throws IOException {
    for (long position : directory.snapshots().headSet(keep, true).descendingSet()) {
      try {
        SnapshotReader.read(storage, id, position, _ -> false, (partition, kind, payload) -> {});
        return position;
      } catch (JournalDamagedException _) {
        // an older one may be whole
      }
    }
    return 0;
  }

  private TruncationPoint find(LogId id, LogDirectory directory, long snapshot) throws IOException {
    NavigableMap<Long, SegmentHeader> headers = new TreeMap<>();
    JournalDamagedException last = null;
    for (long number : directory.segments().descendingSet()) {
      try {
        SegmentHeader header = SegmentHeader.read(storage, id, number);
        headers.put(number, header);
        if (header.firstPosition() <= snapshot + 1) {
          return walk(id, headers);
        }
      } catch (JournalDamagedException e) {
        // a segment after the cut may be unreadable; one before it makes the walk fail
        headers.clear();
        last = e;
      }
    }
    throw last != null
        ? last
        : new JournalDamagedException(
            storage.location(LogFileNames.segment(1)),
            0,
            "expected segments with every record after " + snapshot + ", found none");
  }

  private TruncationPoint walk(LogId id, NavigableMap<Long, SegmentHeader> headers)
      throws IOException {
    SegmentHeader header = headers.firstEntry().getValue();
    while (true) {
      String name = LogFileNames.segment(header.number());
      try (StorageFile file = storage.openToRead(name)) {
        SegmentScan scan =
            new SegmentScan(new RecordReader(file, id, header.segmentBytes()), header);
        while (scan.position() < keep && scan.next()) {
          // reads on to the last record to keep
        }
        if (scan.position() == keep) {
          return new TruncationPoint(header.number(), scan.offset(), scan.chain());
        }
        SegmentHeader next = headers.get(header.number() + 1);
        if (next == null
            || next.firstPosition() != scan.position() + 1
            || next.chain() != scan.chain()) {
          throw new JournalDamagedException(
              storage.location(name),
              scan.offset(),
              "expected whole records up to "
                  + keep
                  + ", which is to be kept, found them up to "
                  + scan.position());
        }
        header = next;
      }
    }
  }

  /** Copies the rest of the segment after the cut, then makes it zero. */
  private void keepTail(TruncationPoint truncationPoint) throws IOException {
    String name = LogFileNames.segment(truncationPoint.segment());
    try (StorageFile file = storage.open(name)) {
      long end = ZeroFill.lastNonZero(file, truncationPoint.offset(), file.size()) + 1;
      if (end > truncationPoint.offset()) {
        String copy = asideName("tail-" + name);
        copy(file, truncationPoint.offset(), end, copy);
        ZeroFill.write(file, truncationPoint.offset(), end);
        removed.add(copy);
      }
      file.force();
    }
  }

  private void copy(StorageFile from, long begin, long end, String name) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocateDirect(ReadAheadBuffer.READ_AHEAD);
    try (StorageFile copy = storage.create(name)) {
      for (long offset = begin; offset < end; offset += chunk.capacity()) {
        from.read(chunk.clear().limit((int) Math.min(chunk.capacity(), end - offset)), offset);
        copy.write(chunk.flip(), offset - begin);
      }
      copy.force();
    }
    storage.forceDirectory();
  }

  private void setAside(String name) throws IOException {
    if (storage.list().contains(name)) {
      storage.rename(name, asideName(name));
      removed.add(asideName(name));
    }
  }

  private String asideName(String name) {
    return LogFileNames.REMOVED + epochMillis + "-" + name;
  }

  private void writeAnchor(LogId id, TruncationPoint truncationPoint, long snapshot)
      throws IOException {
    ForcedPositionFile.create(storage);
    try (ForcedPositionFile forcedPositionFile =
        ForcedPositionFile.open(storage, id, 0, snapshot)) {
      forcedPositionFile.writeBoth(
          keep, truncationPoint.segment(), truncationPoint.offset(), truncationPoint.chain(), true);
    }
    storage.forceDirectory();
  }

  private long audit() throws IOException {
    String text =
        "repair at "
            + epochMillis
            + " ms since 1970 by "
            + who
            + ": kept records up to "
            + keep
            + ", put the rest aside in "
            + removed
            + "; reason: "
            + reason;
    ByteBuffer payload = StandardCharsets.UTF_8.encode(text);
    payload.limit(Math.min(payload.limit(), settings.bounds().maxPayloadBytes()));
    try (RecordLog log = RecordLog.open(storage, settings)) {
      long position = log.appendAny(0, 0, RecordFormat.AUDIT, payload);
      log.force();
      return position;
    }
  }
}
