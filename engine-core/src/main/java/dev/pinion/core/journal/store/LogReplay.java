package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/** Replays the content of an inspected log to a visitor. */
final class LogReplay {
  private final Storage storage;
  private final InspectedLog state;
  private final IntPredicate wanted;
  private final RecordVisitor visitor;

  LogReplay(Storage storage, InspectedLog state, IntPredicate wanted, RecordVisitor visitor) {
    this.storage = storage;
    this.state = state;
    this.wanted = wanted;
    this.visitor = visitor;
  }

  /** Streams everything up to the position of the inspection. */
  void run() throws IOException {
    if (state.snapshot() > 0) {
      SnapshotReader.read(storage, state.format().id(), state.snapshot(), wanted, visitor::onEntry);
    }
    for (SegmentHeader header : state.headers().values()) {
      replay(header);
    }
  }

  private void replay(SegmentHeader header) throws IOException {
    SegmentHeader next = state.headers().get(header.number() + 1);
    long end = next == null ? state.position() : next.firstPosition() - 1;
    String name = LogFileNames.segment(header.number());
    try (StorageFile file = storage.openToRead(name)) {
      RecordReader reader = new RecordReader(file, state.format().id(), header.segmentBytes());
      SegmentScan scan = new SegmentScan(reader, header);
      while (scan.position() < end) {
        if (!scan.next()) {
          throw new JournalDamagedException(
              storage.location(name),
              scan.offset(),
              "expected record "
                  + (scan.position() + 1)
                  + ", which was there when the log was opened, found it gone");
        }
        if (reader.position() > state.snapshot()) {
          visit(reader);
        }
      }
    }
  }

  private void visit(RecordReader record) throws IOException {
    if (record.kind() == RecordFormat.AUDIT) {
      visitor.onAudit(
          record.position(), StandardCharsets.UTF_8.decode(record.payload()).toString());
    } else if (wanted.test(record.partition())) {
      visitor.onRecord(
          record.position(), record.partition(), record.epoch(), record.kind(), record.payload());
    }
  }
}
