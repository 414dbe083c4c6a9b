package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Content of the directory of a log, by name.
 *
 * @param names all names
 * @param segments numbers of segments
 * @param snapshots positions of snapshots
 * @param preparing files that were never completed
 */
record LogDirectory(
    List<String> names,
    NavigableSet<Long> segments,
    NavigableSet<Long> snapshots,
    List<String> preparing) {
  private static final List<String> FIXED =
      List.of(
          LogFileNames.FORMAT,
          LogFileNames.LOCK,
          LogFileNames.READERS,
          LogFileNames.ANCHOR,
          LogFileNames.SPARE,
          LogFileNames.RESERVE);

  /**
   * Lists a directory.
   *
   * @throws JournalDamagedException when it contains an unknown file: that may be a part of the log
   *     under a wrong name
   */
  static LogDirectory of(Storage storage) throws IOException {
    NavigableSet<Long> segments = new TreeSet<>();
    NavigableSet<Long> snapshots = new TreeSet<>();
    List<String> preparing = new ArrayList<>();
    List<String> names = storage.list();
    for (String name : names) {
      if (LogFileNames.segmentNumber(name) > 0) {
        segments.add(LogFileNames.segmentNumber(name));
      } else if (LogFileNames.snapshotPosition(name) > 0) {
        snapshots.add(LogFileNames.snapshotPosition(name));
      } else if (name.endsWith(LogFileNames.PREPARING)) {
        preparing.add(name);
      } else if (!FIXED.contains(name) && !name.startsWith(LogFileNames.REMOVED)) {
        throw new JournalDamagedException(
            storage.location(name),
            0,
            "expected only files of a log in its directory, found one of another name");
      }
    }
    return new LogDirectory(names, segments, snapshots, preparing);
  }
}
