package dev.pinion.bootstrap.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Field fault 20: a data disk that hangs. {@link SupervisorTurnsTest} shows that supervision
 * continues meanwhile.
 */
class CrashReporterTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private final SupervisionEvents events =
      new SupervisionEvents(
          new SupervisorLog(
              new PrintStream(logged, true, StandardCharsets.UTF_8), false, () -> Instant.EPOCH),
          () -> Instant.EPOCH);

  @Test
  void shouldWriteTheLastReportsAtTheEnd() throws IOException {
    CrashReporter reporter = new CrashReporter(new CrashReports(folder), events);
    reporter.report(death(0));
    reporter.report(death(1));

    reporter.close();

    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count());
    }
    assertEquals(2, events.latest(10).size());
  }

  @Test
  void shouldTellWhyAReportCannotBeWritten() {
    CrashReporter reporter =
        new CrashReporter(
            _ -> {
              throw new UncheckedIOException(new IOException("Input/output error"));
            },
            events,
            Runnable::run);

    reporter.report(death(0));

    String text = events.latest(1).getFirst().text();
    assertTrue(text.startsWith("the report of this death cannot be written: "), text);
    assertTrue(text.endsWith("Input/output error"), text);
  }

  private static CrashReports.CrashReport death(int index) {
    return new CrashReports.CrashReport(
        index, 77, Instant.EPOCH, "ended with status 3", 61, 4, List.of("one", "two"));
  }
}
