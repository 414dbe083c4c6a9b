package dev.pinion.core.journal.store;

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
          FileNames.FORMAT,
          FileNames.LOCK,
          FileNames.READERS,
          FileNames.ANCHOR,
          FileNames.SPARE,
          FileNames.RESERVE);

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
      if (FileNames.segmentNumber(name) > 0) {
        segments.add(FileNames.segmentNumber(name));
      } else if (FileNames.snapshotPosition(name) > 0) {
        snapshots.add(FileNames.snapshotPosition(name));
      } else if (name.endsWith(FileNames.PREPARING)) {
        preparing.add(name);
      } else if (!FIXED.contains(name) && !name.startsWith(FileNames.REMOVED)) {
        throw new JournalDamagedException(
            storage.place(name),
            0,
            "expected only files of a log in its directory, found one of another name");
      }
    }
    return new LogDirectory(names, segments, snapshots, preparing);
  }
}
