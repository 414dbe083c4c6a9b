package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Field fault 22: a replica that replays is not killed before it can have finished. */
class RecoveryEstimateTest {
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
    assertEquals(Duration.ZERO, RecoveryEstimate.of(journals), "no journal yet");
    sparse(journals.resolve("0/0000000001.segment"), 200);
    sparse(journals.resolve("1/0000000001.segment"), 101);
    assertEquals(Duration.ofSeconds(301), RecoveryEstimate.of(journals));
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
    assertEquals(Duration.ofSeconds(301), RecoveryEstimate.of(journals));
  }

  /** Field fault 20: the disk may hang, which must block no caller. */
  @Test
  void shouldLookAtFilesOnAThreadOfItsOwnAndOnceAtATime() throws Exception {
    Exchanger<Duration> disk = new Exchanger<>();
    AtomicInteger looks = new AtomicInteger();
    RecoveryEstimate time =
        new RecoveryEstimate(
            () -> {
              looks.incrementAndGet();
              return exchanged(disk);
            });
    CompletableFuture<Duration> first = time.get();
    assertFalse(first.isDone());
    assertSame(first, time.get());

    disk.exchange(Duration.ofSeconds(7), 10, TimeUnit.SECONDS);
    assertEquals(Duration.ofSeconds(7), first.get(10, TimeUnit.SECONDS));
    CompletableFuture<Duration> second = time.get();
    disk.exchange(Duration.ofSeconds(8), 10, TimeUnit.SECONDS);
    assertEquals(Duration.ofSeconds(8), second.get(10, TimeUnit.SECONDS));
    assertEquals(2, looks.get());
  }

  private static Duration exchanged(Exchanger<Duration> disk) {
    try {
      return disk.exchange(Duration.ZERO, 10, TimeUnit.SECONDS);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldTakeNothingForWhatCannotBeMeasured() throws Exception {
    RecoveryEstimate time =
        new RecoveryEstimate(
            () -> {
              throw new UncheckedIOException(new IOException("the disk is gone"));
            });
    assertEquals(Duration.ZERO, time.get().get(10, TimeUnit.SECONDS));
  }

  @Test
  void shouldCountTheOthersWhenAFileVanishes() throws IOException {
    Path segment = sparse(data.resolve("0/0000000001.segment"), 200);
    RecoveryEstimate.JournalSizes journalSizes = new RecoveryEstimate.JournalSizes();
    journalSizes.visitFile(segment, Files.readAttributes(segment, BasicFileAttributes.class));
    IOException vanished = new NoSuchFileException("0000000002.segment");
    assertEquals(FileVisitResult.CONTINUE, journalSizes.visitFileFailed(segment, vanished));
    assertEquals(FileVisitResult.CONTINUE, journalSizes.postVisitDirectory(data, vanished));
    assertEquals(Duration.ofSeconds(200), journalSizes.time());
  }
}
