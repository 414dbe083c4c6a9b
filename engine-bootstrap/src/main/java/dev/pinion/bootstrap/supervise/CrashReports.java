package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.datadir.OwnerOnlyPermissions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Reports about dead replicas: a file for each death with the last lines of its log, beside the
 * JVMs' own crash reports. Only the newest files are kept.
 */
public final class CrashReports {
  /** Number of files kept of each kind. */
  public static final int MAX_FILES = 20;

  private static final String REPORT = "replica-";
  private static final String JVM_REPORT = "hs_err_";
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path directory;

  /**
   * Reports in an existing folder.
   *
   * @param directory folder in which JVMs of replicas write their own reports too
   */
  public CrashReports(Path directory) {
    this.directory = directory;
  }

  /**
   * Death of a replica.
   *
   * @param index index of the replica
   * @param pid the dead process
   * @param time time of the death
   * @param ended kind of end, in words
   * @param uptimeSeconds its lifetime
   * @param restarts previous restarts of the replica
   * @param lastLines the last lines of its log
   */
  record CrashReport(
      int index,
      long pid,
      Instant time,
      String ended,
      long uptimeSeconds,
      int restarts,
      List<String> lastLines) {}

  /**
   * Writes a report.
   *
   * @return the file
   * @throws IOException when it cannot be written
   */
  Path write(CrashReport crashReport) throws IOException {
    Path file =
        directory.resolve(
            REPORT + crashReport.index() + "-" + STAMP.format(crashReport.time()) + ".txt");
    Path own = directory.resolve(JVM_REPORT + crashReport.pid() + ".log");
    List<String> lines = new ArrayList<>();
    lines.add("replica: " + crashReport.index());
    lines.add("process: " + crashReport.pid());
    lines.add("time: " + crashReport.time());
    lines.add("ended: " + crashReport.ended());
    lines.add("lived: " + crashReport.uptimeSeconds() + " s");
    lines.add("restarts before: " + crashReport.restarts());
    lines.add("report of the JVM: " + (Files.exists(own) ? own.getFileName() : "none"));
    lines.add("the last " + crashReport.lastLines().size() + " lines of its log:");
    lines.addAll(crashReport.lastLines());
    if (!Files.exists(file)) {
      Files.createFile(file, OwnerOnlyPermissions.ofFile(file));
    }
    Files.write(file, lines);
    prune(REPORT);
    prune(JVM_REPORT);
    return file;
  }

  private void prune(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> surplus =
          files
              .map(ReportFile::new)
              .filter(reportFile -> reportFile.name().startsWith(prefix))
              .sorted(
                  Comparator.comparingLong(ReportFile::written)
                      .thenComparing(ReportFile::name)
                      .reversed())
              .skip(MAX_FILES)
              .map(ReportFile::path)
              .toList();
      for (Path file : surplus) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** A report and its time of writing. */
  private record ReportFile(Path path, String name, long written) {
    ReportFile(Path path) {
      this(path, String.valueOf(path.getFileName()), path.toFile().lastModified());
    }
  }
}
