package dev.pinion.bootstrap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Field fault 22: a replica that replays is not killed before it can be done. */
class RecoveryTimeTest {
  @TempDir Path data;

  private static Path sparse(Path file, int mebibytes) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
      made.setLength((long) mebibytes << 20);
    }
    return file;
  }

  @Test
  void shouldGiveASecondForEachMebibyteOfAllJournals() throws IOException {
    Path journals = data.resolve("journal");
    assertEquals(Duration.ZERO, RecoveryTime.of(journals), "no journal yet");
    sparse(journals.resolve("0/0000000001.segment"), 200);
    sparse(journals.resolve("1/0000000001.segment"), 101);
    assertEquals(Duration.ofSeconds(301), RecoveryTime.of(journals));
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void shouldLookBehindLinks() throws IOException {
    Path disk = data.resolve("disk");
    sparse(disk.resolve("0/0000000001.segment"), 200);
    sparse(data.resolve("other/0000000001.segment"), 101);
    Files.createSymbolicLink(disk.resolve("1"), data.resolve("other"));
    Files.createSymbolicLink(disk.resolve("2"), data.resolve("gone"));
    Path journals = Files.createSymbolicLink(data.resolve("journal"), disk);
    assertEquals(Duration.ofSeconds(301), RecoveryTime.of(journals));
  }

  @Test
  void shouldCountTheOthersWhenAFileVanishes() throws IOException {
    Path segment = sparse(data.resolve("0/0000000001.segment"), 200);
    RecoveryTime.Sizes sizes = new RecoveryTime.Sizes();
    sizes.visitFile(segment, Files.readAttributes(segment, BasicFileAttributes.class));
    IOException vanished = new NoSuchFileException("0000000002.segment");
    assertEquals(FileVisitResult.CONTINUE, sizes.visitFileFailed(segment, vanished));
    assertEquals(FileVisitResult.CONTINUE, sizes.postVisitDirectory(data, vanished));
    assertEquals(Duration.ofSeconds(200), sizes.time());
  }
}
