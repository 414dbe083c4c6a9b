package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import dev.pinion.core.journal.disk.StorageLock;
import dev.pinion.core.journal.disk.ZeroFill;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;

/**
 * Checks every byte of a log and reports all problems, where opening stops at the first one.
 * Changes nothing; keeps its writer from deleting meanwhile. A log whose writer is at work may show
 * a torn end. Single-threaded.
 */
public final class JournalVerification {
  /** Most reported problems; further ones are only counted. */
  public static final int MAX_PROBLEMS = 1_000;

  private final Storage storage;
  private final Set<VerificationProblem> problems = new LinkedHashSet<>();
  private long problemCount;
  private long records;
  private long entries;
  private long bytes;

  private JournalVerification(Storage storage) {
    this.storage = storage;
  }

  /**
   * A problem.
   *
   * @param file the file concerned, with its directory
   * @param offset offset in it, in bytes
   * @param record the position expected there; 0 when it does not concern a record
   * @param text what was expected and what was found
   */
  public record VerificationProblem(String file, long offset, long record, String text) {}

  /**
   * The result.
   *
   * @param problems problems in the order of files; at most {@link #MAX_PROBLEMS}
   * @param problemCount number of all problems
   * @param refusal reason why the log would not open; empty when it would
   * @param segments number of segments
   * @param snapshots number of snapshots
   * @param records number of whole records in segments
   * @param entries number of whole entries in snapshots
   * @param bytes bytes of records in segments
   */
  public record VerificationReport(
      List<VerificationProblem> problems,
      long problemCount,
      String refusal,
      int segments,
      int snapshots,
      long records,
      long entries,
      long bytes) {
    /** Whether the log is as it was written. */
    public boolean isSound() {
      return problemCount == 0 && refusal.isEmpty();
    }
  }

  /**
   * Checks a log.
   *
   * @throws JournalFormatException when there is no log, or one of an unknown version
   */
  public static VerificationReport run(Storage storage) throws IOException {
    return new JournalVerification(storage).run();
  }

  private VerificationReport run() throws IOException {
    if (LogCreation.isDue(storage)) {
      throw new JournalFormatException(
          "expected a journal, found no " + storage.location(LogFileNames.FORMAT));
    }
    if (!storage.list().contains(LogFileNames.READERS)) {
      return verify();
    }
    try (StorageLock _ = storage.lockShared(LogFileNames.READERS)) {
      return verify();
    }
  }

  private VerificationReport verify() throws IOException {
    LogFormat format = LogFormat.read(storage);
    checkAnchor(format);
    LogDirectory directory;
    try {
      directory = LogDirectory.of(storage);
    } catch (JournalDamagedException e) {
      // a misplaced file does not hide the others, but their list is not available
      add(e, 0);
      return report(String.valueOf(e.getMessage()), 0, 0);
    }
    for (long position : directory.snapshots()) {
      checkSnapshot(format.id(), position);
    }
    for (long number : directory.segments()) {
      checkSegment(format.id(), number, directory.segments());
    }
    return report(refusal(), directory.segments().size(), directory.snapshots().size());
  }

  private VerificationReport report(String refusal, int segments, int snapshots) {
    return new VerificationReport(
        List.copyOf(problems), problemCount, refusal, segments, snapshots, records, entries, bytes);
  }

  private String refusal() throws IOException {
    try {
      InspectedLog state = LogInspection.inspect(storage);
      state
          .notes()
          .forEach(
              note ->
                  add(new VerificationProblem(storage.location(LogFileNames.FORMAT), 0, 0, note)));
      return "";
    } catch (JournalDamagedException e) {
      add(e, 0);
      return String.valueOf(e.getMessage());
    }
  }

  private void checkAnchor(LogFormat format) throws IOException {
    List<String> notes = new ArrayList<>();
    try {
      ForcedPosition.read(storage, format.id(), notes);
    } catch (JournalDamagedException e) {
      add(e, 0);
    }
  }

  private void checkSnapshot(LogId id, long position) throws IOException {
    try {
      SnapshotReader.Summary summary =
          SnapshotReader.read(storage, id, position, _ -> false, (partition, kind, payload) -> {});
      entries += summary.entries();
    } catch (JournalDamagedException e) {
      add(e, position);
    }
  }

  private void checkSegment(LogId id, long number, NavigableSet<Long> segments) throws IOException {
    long expected = 0;
    int chain = 0;
    try {
      SegmentHeader header = SegmentHeader.read(storage, id, number);
      expected = header.firstPosition();
      chain = header.chain();
      if (segments.lower(number) != null && !segments.contains(number - 1)) {
        add(
            new VerificationProblem(
                storage.location(LogFileNames.segment(number - 1)),
                0,
                0,
                "expected it, found no file"));
      }
    } catch (JournalDamagedException e) {
      add(e, 0);
    }
    String place = storage.location(LogFileNames.segment(number));
    try (StorageFile file = storage.openToRead(LogFileNames.segment(number))) {
      SalvageScan walk = new SalvageScan(file, id);
      while (walk.next()) {
        checkRecord(walk, place, expected, chain);
        expected = walk.record().position() + 1;
        chain = walk.record().crc();
        records++;
        bytes += walk.record().size();
      }
      long last = ZeroFill.lastNonZero(file, walk.end(), file.size());
      if (last >= 0) {
        add(
            new VerificationProblem(
                place,
                walk.end(),
                expected,
                "expected nothing after the last record, found "
                    + (last + 1 - walk.end())
                    + " bytes that are no record"));
      }
    }
  }

  private void checkRecord(SalvageScan walk, String place, long expected, int chain) {
    if (walk.skipped() > 0) {
      add(
          new VerificationProblem(
              place,
              walk.offset() - walk.skipped(),
              expected,
              "expected a record, found " + walk.skipped() + " bytes that are none"));
    }
    long found = walk.record().position();
    if (expected > 0 && found != expected) {
      add(
          new VerificationProblem(
              place, walk.offset(), expected, "expected it, found record " + found));
    } else if (expected > 0 && walk.record().previous() != chain) {
      add(
          new VerificationProblem(
              place,
              walk.offset(),
              expected,
              "expected it to follow the record before, found one written after another"));
    }
  }

  private void add(JournalDamagedException e, long record) {
    add(new VerificationProblem(e.file(), e.offset(), record, String.valueOf(e.getMessage())));
  }

  private void add(VerificationProblem verificationProblem) {
    if (problems.contains(verificationProblem)) {
      return;
    }
    problemCount++;
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(verificationProblem);
    }
  }
}
