package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import dev.pinion.core.journal.disk.ZeroFill;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Inspects a whole log and decides whether it opens. Changes nothing.
 *
 * <p>Everything from the newest snapshot on is checked. Bytes at the end of the last segment that
 * are no record are the remains of a batch that was never forced, unless there is proof of the
 * contrary:
 *
 * <ul>
 *   <li>the anchor says that the position was forced: it is written only after a force;
 *   <li>a later segment exists: it is begun only after the previous one was forced;
 *   <li>a record further on says in its {@code forced} field that the position was forced when it
 *       was written. After a loss of power the anchor may be older than the log; this field is not.
 * </ul>
 */
final class LogInspection {
  private final Storage storage;
  private final LogFormat format;
  private final ForcedPosition anchor;
  private final LogDirectory directory;
  private final List<String> notes = new ArrayList<>();
  private long snapshot;
  private int snapshotChain;
  private NavigableMap<Long, SegmentHeader> headers = new TreeMap<>();
  private long tailEnd;

  private LogInspection(Storage storage) throws IOException {
    this.storage = storage;
    this.format = LogFormat.read(storage);
    // the anchor before the directory: its writer can only add to it meanwhile
    this.anchor = ForcedPosition.read(storage, format.id(), notes);
    this.directory = LogDirectory.of(storage);
  }

  /**
   * Inspects a log.
   *
   * @throws JournalDamagedException when it must not be opened
   * @throws JournalFormatException when this program must not open it
   */
  static InspectedLog inspect(Storage storage) throws IOException {
    return new LogInspection(storage).run();
  }

  private InspectedLog run() throws IOException {
    chooseSnapshot();
    SegmentHeader base = headers.firstEntry().getValue();
    if (base.firstPosition() - 1 == anchor.durable()) {
      checkAnchored(base.chain(), LogFileNames.segment(base.number()), 0);
    }
    InspectedLog state = null;
    for (SegmentHeader header : headers.values()) {
      state = scan(header);
    }
    if (state == null) {
      throw new AssertionError("expected a segment, found none");
    }
    if (headers.lastKey() > anchor.segment() + 1) {
      throw olderAnchor(
          "expected an anchor that names segment "
              + headers.lastKey()
              + " or the one before it, found one that names segment "
              + anchor.segment(),
          state.position());
    }
    return state;
  }

  /**
   * Chooses the newest whole snapshot whose segments exist. An older one, or none, is equivalent as
   * long as every segment since exists, so it may replace a damaged one.
   */
  private void chooseSnapshot() throws IOException {
    JournalDamagedException first = missingSnapshot();
    for (long position : directory.snapshots().descendingSet()) {
      try {
        useSnapshot(position);
        noteStandIn(first);
        return;
      } catch (JournalDamagedException e) {
        first = first == null ? e : first;
      }
    }
    try {
      snapshot = 0;
      snapshotChain = 0;
      headers = headersAfter(0, 0);
      noteStandIn(first);
    } catch (JournalDamagedException e) {
      throw first == null ? e : first;
    }
  }

  private @Nullable JournalDamagedException missingSnapshot() {
    long newest = directory.snapshots().isEmpty() ? 0 : directory.snapshots().getLast();
    return newest >= anchor.snapshot()
        ? null
        : new JournalDamagedException(
            storage.location(LogFileNames.snapshot(anchor.snapshot())),
            0,
            "expected the snapshot that the anchor names, found no file");
  }

  private void noteStandIn(@Nullable JournalDamagedException first) {
    if (first != null) {
      notes.add("replaying from position " + snapshot + " instead: " + first.getMessage());
    }
  }

  private void useSnapshot(long position) throws IOException {
    SnapshotReader.Summary summary =
        SnapshotReader.read(
            storage, format.id(), position, _ -> false, (partition, kind, payload) -> {});
    if (position > anchor.durable()) {
      throw new JournalDamagedException(
          storage.location(LogFileNames.snapshot(position)),
          0,
          "expected snapshots of what was forced, up to position "
              + anchor.durable()
              + " by the anchor, found one at "
              + position);
    }
    headers = headersAfter(position, summary.recordChain());
    snapshot = position;
    snapshotChain = summary.recordChain();
  }

  /** Segments from the one with the record after a position to the last one. */
  private NavigableMap<Long, SegmentHeader> headersAfter(long position, int chain)
      throws IOException {
    NavigableMap<Long, SegmentHeader> found = new TreeMap<>();
    long number = lastSegment();
    SegmentHeader header = SegmentHeader.read(storage, format.id(), number);
    found.put(number, header);
    while (header.firstPosition() > position + 1) {
      number--;
      if (!directory.segments().contains(number)) {
        throw new JournalDamagedException(
            storage.location(LogFileNames.segment(number)),
            0,
            "expected a segment with the records after "
                + position
                + ", found them from "
                + header.firstPosition()
                + " on");
      }
      header = SegmentHeader.read(storage, format.id(), number);
      found.put(number, header);
    }
    if (header.firstPosition() == position + 1 && header.chain() != chain) {
      throw new JournalDamagedException(
          storage.location(LogFileNames.segment(number)),
          0,
          "expected a segment that follows record "
              + position
              + ", found one that follows another");
    }
    return found;
  }

  private long lastSegment() throws JournalDamagedException {
    long last = directory.segments().isEmpty() ? 0 : directory.segments().getLast();
    if (last < anchor.segment()) {
      throw new JournalDamagedException(
          storage.location(LogFileNames.segment(anchor.segment())),
          0,
          "expected the segment that the anchor names, found no file");
    }
    return last;
  }

  private InspectedLog scan(SegmentHeader header) throws IOException {
    String name = LogFileNames.segment(header.number());
    try (StorageFile file = storage.openToRead(name)) {
      RecordReader reader = new RecordReader(file, format.id(), header.segmentBytes());
      SegmentScan scan = new SegmentScan(reader, header);
      while (scan.next()) {
        checkKnown(scan, name);
      }
      SegmentHeader next = headers.get(header.number() + 1);
      long last = ZeroFill.lastNonZero(file, scan.offset(), header.segmentBytes());
      if (next == null) {
        judgeTail(scan, name, last);
      } else {
        checkFull(scan, name, last, next);
      }
      return new InspectedLog(
          format,
          anchor,
          directory,
          snapshot,
          headers,
          scan.position(),
          scan.chain(),
          scan.offset(),
          tailEnd,
          notes);
    }
  }

  private void checkKnown(SegmentScan scan, String name) throws JournalDamagedException {
    if (scan.position() == anchor.durable()) {
      checkAnchored(scan.chain(), name, scan.offset());
    }
    if (scan.position() == snapshot && scan.chain() != snapshotChain) {
      throw new JournalDamagedException(
          storage.location(name),
          scan.offset(),
          "expected the record "
              + snapshot
              + " that the snapshot was made of, before this place, found another one");
    }
  }

  private void checkAnchored(int chain, String name, long offset) throws JournalDamagedException {
    if (chain != anchor.chain()) {
      throw JournalDamagedException.mixedCopies(
          storage.location(name),
          offset,
          "expected the record "
              + anchor.durable()
              + " that the anchor names, before this place, found another one");
    }
  }

  private JournalDamagedException olderAnchor(String found, long last) {
    return JournalDamagedException.olderAnchor(storage.location(LogFileNames.ANCHOR), found, last);
  }

  private void checkFull(SegmentScan scan, String name, long last, SegmentHeader next)
      throws JournalDamagedException {
    if (scan.position() + 1 < next.firstPosition() || last >= 0) {
      throw damaged(scan, name, "segment " + next.number() + " was begun after it was forced");
    }
    if (scan.position() + 1 != next.firstPosition() || scan.chain() != next.chain()) {
      throw new JournalDamagedException(
          storage.location(LogFileNames.segment(next.number())),
          0,
          "expected a segment that follows record "
              + scan.position()
              + ", found one that follows another");
    }
  }

  private void judgeTail(SegmentScan scan, String name, long last) throws IOException {
    long bad = scan.position() + 1;
    tailEnd = Math.max(scan.offset(), last + 1);
    if (bad <= anchor.durable()) {
      throw damaged(scan, name, "the anchor says that it was forced");
    }
    if (anchor.clean() && bad > anchor.durable() + 1) {
      throw olderAnchor(
          "expected an anchor that names the last record, "
              + scan.position()
              + ", found one that names record "
              + anchor.durable()
              + " as the last before the log was closed",
          scan.position());
    }
    if (anchor.clean() && tailEnd > scan.offset()) {
      throw new JournalDamagedException(
          storage.location(name),
          scan.offset(),
          "expected nothing after record "
              + anchor.durable()
              + ", after which the log was closed, found more");
    }
    for (long at = scan.offset(); at < tailEnd; at += RecordFormat.ALIGNMENT) {
      RecordReader reader = scan.record();
      if (reader.claimsForced(at, bad) && reader.read(at) == RecordReader.RecordStatus.RECORD) {
        throw damaged(
            scan,
            name,
            "record " + reader.position() + " at offset " + at + " says that it was forced");
      }
    }
  }

  private JournalDamagedException damaged(SegmentScan scan, String name, String proof) {
    String flaw = scan.flaw();
    return new JournalDamagedException(
        storage.location(name),
        scan.offset(),
        "expected record "
            + (scan.position() + 1)
            + " or the end of the segment, found "
            + (flaw == null ? "nothing" : flaw)
            + "; "
            + proof);
  }
}
