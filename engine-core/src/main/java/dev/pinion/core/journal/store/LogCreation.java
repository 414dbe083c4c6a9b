package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import dev.pinion.core.journal.disk.ZeroFill;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Creates a new log in an empty directory. The format file is written under a temporary name first
 * and renamed when all else is on disk, so that an interrupted creation is distinguished from a log
 * whose format was lost.
 */
final class LogCreation {
  private static final String UNFINISHED = LogFileNames.FORMAT + LogFileNames.PREPARING;

  /** Files that may exist without a log. */
  private static final Set<String> EMPTY = Set.of(LogFileNames.LOCK, LogFileNames.READERS);

  /** Files that an interrupted creation may have left. */
  private static final Set<String> INTERRUPTED =
      Set.of(
          LogFileNames.LOCK,
          LogFileNames.READERS,
          UNFINISHED,
          LogFileNames.ANCHOR,
          LogFileNames.SPARE,
          LogFileNames.SPARE + LogFileNames.PREPARING,
          LogFileNames.segment(1));

  private final Storage storage;
  private final LogSettings settings;

  private LogCreation(Storage storage, LogSettings settings) {
    this.storage = storage;
    this.settings = settings;
  }

  /**
   * Whether a directory has no log and may get one.
   *
   * @throws JournalFormatException when there is no log but there are other files
   */
  static boolean isDue(Storage storage) throws IOException {
    List<String> names = storage.list();
    if (names.contains(LogFileNames.FORMAT)) {
      return false;
    }
    Set<String> known = names.contains(UNFINISHED) ? INTERRUPTED : EMPTY;
    for (String name : names) {
      if (!known.contains(name)) {
        throw new JournalFormatException(
            "expected a journal, or an empty directory to make one in, found no "
                + LogFileNames.FORMAT
                + " and "
                + storage.location(name)
                + "; nothing was changed: restore "
                + LogFileNames.FORMAT
                + " from a copy, or name another directory");
      }
    }
    return true;
  }

  /** Creates a log where {@link #isDue}. With the lock. */
  static void run(Storage storage, LogSettings settings) throws IOException {
    new LogCreation(storage, settings).run();
  }

  private void run() throws IOException {
    removeInterrupted();
    writeFormat();
    LogId id = settings.newLog();
    int segmentBytes = settings.bounds().segmentBytes();
    ForcedPositionFile.create(storage);
    SegmentHeader header = new SegmentHeader(1, 1, 0, segmentBytes);
    new PreallocatedSegment(storage, id, segmentBytes).take(header).close();
    try (ForcedPositionFile forcedPositionFile = ForcedPositionFile.open(storage, id, 0, 0)) {
      forcedPositionFile.writeBoth(0, 1, SegmentHeader.BYTES, 0, false);
    }
    storage.forceDirectory();
    storage.rename(UNFINISHED, LogFileNames.FORMAT);
    storage.forceDirectory();
  }

  /** Removes the unfinished format last: it shows that the others may be removed. */
  private void removeInterrupted() throws IOException {
    List<String> names = storage.list();
    if (!names.contains(UNFINISHED)) {
      return;
    }
    checkUnused(names);
    for (String name : names) {
      if (!EMPTY.contains(name) && !name.equals(UNFINISHED)) {
        storage.delete(name);
      }
    }
    storage.forceDirectory();
    storage.delete(UNFINISHED);
  }

  private void checkUnused(List<String> names) throws IOException {
    String first = LogFileNames.segment(1);
    if (names.contains(first)) {
      try (StorageFile file = storage.openToRead(first)) {
        long used = ZeroFill.lastNonZero(file, SegmentHeader.BYTES, file.size());
        if (used >= 0) {
          throw new JournalDamagedException(
              storage.location(first),
              used,
              "expected an empty segment beside an unfinished format, found a used one");
        }
      }
    }
  }

  private void writeFormat() throws IOException {
    try (StorageFile file = storage.create(UNFINISHED)) {
      file.write(settings.format().encoded(), 0);
      file.force();
    }
    storage.forceDirectory();
  }
}
