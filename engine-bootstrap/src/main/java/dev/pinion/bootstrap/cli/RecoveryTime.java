package dev.pinion.bootstrap.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * How long a replica may take to replay its journal: a second for each MiB, which is a tenth of the
 * pace on a machine of today. A replica that is killed before it is done would never serve.
 */
final class RecoveryTime {
  private static final long BYTES_PER_SECOND = 1 << 20;

  private RecoveryTime() {}

  /** The time that goes with the files of all journals. */
  static Duration of(Path journals) {
    if (!Files.isDirectory(journals)) {
      return Duration.ZERO;
    }
    try (Stream<Path> files = Files.walk(journals)) {
      return Duration.ofSeconds(files.mapToLong(RecoveryTime::size).sum() / BYTES_PER_SECOND);
    } catch (IOException | UncheckedIOException e) {
      return Duration.ZERO; // files come and go, or the replica tells what is wrong
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0; // deleted meanwhile
    }
  }
}
