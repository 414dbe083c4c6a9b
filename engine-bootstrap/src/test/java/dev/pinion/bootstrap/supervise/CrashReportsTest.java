package dev.pinion.bootstrap.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashReportsTest {
  private static final Instant TIME = Instant.parse("2026-03-04T05:06:07.089Z");

  @TempDir private Path folder;

  @Test
  void shouldTellWhoDiedWhenAndHow() throws IOException {
    Files.writeString(folder.resolve("hs_err_77.log"), "a crash of the JVM");

    Path file = new CrashReports(folder).write(death(2, TIME));

    assertEquals("replica-2-20260304T050607.089Z.txt", String.valueOf(file.getFileName()));
    assertEquals(
        """
        replica: 2
        process: 77
        time: 2026-03-04T05:06:07.089Z
        ended: ended with status 3
        lived: 61 s
        restarts before: 4
        report of the JVM: hs_err_77.log
        the last 2 lines of its log:
        one
        two
        """,
        Files.readString(file));
  }

  @Test
  void shouldKeepOnlyTheNewestOfEachKind() throws IOException {
    // given
    CrashReports reports = new CrashReports(folder);
    int many = CrashReports.MAX_FILES + 5;
    for (int i = 0; i < many; i++) {
      Path jvm = Files.writeString(folder.resolve("hs_err_" + i + ".log"), "");
      Files.setLastModifiedTime(jvm, FileTime.fromMillis(1_000 + i));
    }

    // when
    for (int i = 0; i < many; i++) {
      Path file = reports.write(death(i % 3, TIME.plusSeconds(i)));
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_000 + i));
    }

    // then the last one beyond the bound is there
    assertEquals(CrashReports.MAX_FILES, count("replica-"));
    assertEquals(CrashReports.MAX_FILES, count("hs_err_"));
    assertFalse(Files.exists(folder.resolve("hs_err_4.log")));
    assertTrue(Files.exists(folder.resolve("hs_err_5.log")));
  }

  private long count(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(each -> each.getFileName().toString().startsWith(prefix)).count();
    }
  }

  private static CrashReports.CrashReport death(int index, Instant time) {
    return new CrashReports.CrashReport(
        index, 77, time, "ended with status 3", 61, 4, List.of("one", "two"));
  }
}
