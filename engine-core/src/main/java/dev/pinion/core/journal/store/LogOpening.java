package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import dev.pinion.core.journal.disk.ZeroFill;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prepares an inspected log for its writer, and cuts off a torn tail: the only place that changes a
 * log on opening.
 */
final class LogOpening {
  private static final int CHUNK = 256 << 10;

  private final Storage storage;
  private final InspectedLog state;

  LogOpening(Storage storage, InspectedLog state) {
    this.storage = storage;
    this.state = state;
  }

  /**
   * Cuts off the torn tail and forces the rest; afterwards all of it is as if it had been
   * acknowledged.
   */
  LogOpeningReport prepare(boolean created) throws IOException {
    LogOpeningReport.TornTail tornTail = null;
    long last = state.lastSegment().number();
    for (long number = state.anchor().segment(); number <= last; number++) {
      SegmentHeader header = state.headers().get(number);
      if (header != null) {
        try (StorageFile file = storage.open(LogFileNames.segment(number))) {
          tornTail = number == last ? cutTail(file) : null;
          rewrite(file, header);
          file.force();
        }
      }
    }
    storage.forceDirectory();
    tidy();
    return new LogOpeningReport(
        state.format().id(),
        created,
        state.anchor().clean(),
        state.snapshot(),
        state.position(),
        state.anchor().durable(),
        tornTail,
        List.copyOf(state.notes()));
  }

  private LogOpeningReport.@Nullable TornTail cutTail(StorageFile file) throws IOException {
    long bytes = state.tailEnd() - state.offset();
    if (bytes == 0) {
      return null;
    }
    ZeroFill.write(file, state.offset(), state.tailEnd());
    String place = storage.location(LogFileNames.segment(state.lastSegment().number()));
    return new LogOpeningReport.TornTail(place, state.offset(), bytes);
  }

  /**
   * Rewrites the records that the anchor does not confirm. A force of an earlier process may have
   * failed: then the operating system counts these pages as clean, shows them to readers, and would
   * not write them in a force now.
   */
  private void rewrite(StorageFile file, SegmentHeader header) throws IOException {
    ForcedPosition anchor = state.anchor();
    boolean last = header.number() == state.lastSegment().number();
    long from = header.number() == anchor.segment() ? anchor.offset() : 0;
    long to = last ? state.offset() : header.segmentBytes();
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
    for (long offset = from; offset < to; offset += CHUNK) {
      int bytes = (int) Math.min(CHUNK, to - offset);
      file.read(chunk.clear().limit(bytes), offset);
      file.write(chunk.flip(), offset);
    }
  }

  /** Removes files that were never completed. */
  private void tidy() throws IOException {
    for (String name : state.directory().preparing()) {
      storage.delete(name);
    }
    if (!state.directory().names().contains(LogFileNames.READERS)) {
      storage.create(LogFileNames.READERS).close();
    }
  }

  /** Retention of the segments and snapshots. */
  LogRetention retention(long segmentBytes) {
    LogRetention logRetention = new LogRetention(storage, segmentBytes);
    long oldest = state.headers().firstKey();
    for (long number : state.directory().segments().headSet(oldest, false).descendingSet()) {
      try {
        SegmentHeader header = SegmentHeader.read(storage, state.format().id(), number);
        logRetention.segment(number, header.firstPosition());
      } catch (IOException e) {
        break; // not needed any more, nor are earlier ones
      }
    }
    for (SegmentHeader header : state.headers().values()) {
      logRetention.segment(header.number(), header.firstPosition());
    }
    logRetention.snapshot(state.snapshot());
    return logRetention;
  }

  /** The anchor, which records that everything is on disk and that the log is open. */
  ForcedPositionFile anchor() throws IOException {
    // a snapshot that was finished and not adopted is adopted now
    long snapshot = Math.max(state.anchor().snapshot(), state.snapshot());
    ForcedPositionFile forcedPositionFile =
        ForcedPositionFile.open(storage, state.format().id(), state.anchor().sequence(), snapshot);
    try {
      forcedPositionFile.writeBoth(
          state.position(), state.lastSegment().number(), state.offset(), state.chain(), false);
      return forcedPositionFile;
    } catch (IOException | RuntimeException e) {
      forcedPositionFile.close();
      throw e;
    }
  }
}
