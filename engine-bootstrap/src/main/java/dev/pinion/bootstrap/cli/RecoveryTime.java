package dev.pinion.bootstrap.cli;

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
 * How long a replica may take to replay its journal: a second for each MiB, which is a tenth of the
 * pace on a machine of today. A replica that is killed before it is done would never serve. A
 * thread of its own looks at the files, since a disk may hang. Used by one thread.
 */
final class RecoveryTime implements Supplier<CompletableFuture<Duration>> {
  private static final long BYTES_PER_SECOND = 1 << 20;

  private static final Duration NOTHING = Duration.ZERO;

  /** The folder of all journals, that of one, and its files. */
  private static final int DEPTH = 3;

  private final Supplier<Duration> look;
  private CompletableFuture<Duration> last = CompletableFuture.completedFuture(NOTHING);

  /** Measures the journals of a folder whenever it is asked. */
  RecoveryTime(Path journals) {
    this(() -> of(journals));
  }

  RecoveryTime(Supplier<Duration> look) {
    this.look = look;
  }

  /** Measures now, at most once at a time: who asks meanwhile hears of the same measurement. */
  @Override
  public CompletableFuture<Duration> get() {
    if (last.isDone()) {
      last = CompletableFuture.supplyAsync(look, RecoveryTime::run).exceptionally(_ -> NOTHING);
    }
    return last;
  }

  private static void run(Runnable look) {
    Thread.ofPlatform().daemon().name("recovery-time").start(look);
  }

  /** The time that goes with the files of all journals, behind links as well. */
  static Duration of(Path journals) {
    Sizes sizes = new Sizes();
    try {
      Files.walkFileTree(journals, EnumSet.of(FileVisitOption.FOLLOW_LINKS), DEPTH, sizes);
    } catch (IOException e) {
      return sizes.time(); // of those found so far; the replica tells what is wrong
    }
    return sizes.time();
  }

  /** Adds up sizes of files. Those that come and go meanwhile do not spoil the sum. */
  static final class Sizes extends SimpleFileVisitor<Path> {
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
