package dev.pinion.bootstrap.serve;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Time allowance of a replica for replaying its journal: a second for each MiB, which is a tenth of
 * the pace on a current machine. A replica that is killed before the end of its replay would never
 * serve. A separate thread reads the sizes of the files, since a disk may hang. Used by one thread.
 */
final class RecoveryEstimate implements Supplier<CompletableFuture<Duration>> {
  private static final long BYTES_PER_SECOND = 1 << 20;

  private static final Duration NOTHING = Duration.ZERO;

  /** Levels of the tree: the folder of all journals, that of one, and its files. */
  private static final int DEPTH = 3;

  private final Supplier<Duration> look;
  private CompletableFuture<Duration> last = CompletableFuture.completedFuture(NOTHING);

  /** Measures the journals of a folder on each request. */
  RecoveryEstimate(Path journals) {
    this(() -> of(journals));
  }

  RecoveryEstimate(Supplier<Duration> look) {
    this.look = look;
  }

  /** Measures now, at most once at a time: callers during a measurement receive its result. */
  @Override
  public CompletableFuture<Duration> get() {
    if (last.isDone()) {
      last = CompletableFuture.supplyAsync(look, RecoveryEstimate::run).exceptionally(_ -> NOTHING);
    }
    return last;
  }

  private static void run(Runnable look) {
    Thread.ofPlatform().daemon().name("recovery-time").start(look);
  }

  /** The allowance for the files of all journals, including those behind links. */
  static Duration of(Path journals) {
    JournalSizes journalSizes = new JournalSizes();
    try {
      Files.walkFileTree(journals, EnumSet.of(FileVisitOption.FOLLOW_LINKS), DEPTH, journalSizes);
    } catch (IOException e) {
      return journalSizes.time(); // for the files found so far; the replica reports what is wrong
    }
    return journalSizes.time();
  }

  /** Sum of file sizes. Files that appear or disappear meanwhile do not disturb it. */
  static final class JournalSizes extends SimpleFileVisitor<Path> {
    private long bytes;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      bytes += attributes.isRegularFile() ? attributes.size() : 0;
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
      return FileVisitResult.CONTINUE;
    }

    Duration time() {
      return Duration.ofSeconds(bytes / BYTES_PER_SECOND);
    }
  }
}
