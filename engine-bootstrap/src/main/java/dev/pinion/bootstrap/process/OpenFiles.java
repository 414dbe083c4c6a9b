package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * File descriptors of this process: the limit (RLIMIT_NOFILE) and the number of open ones, from
 * /proc of Linux. A JVM raises its soft limit to the hard one when it starts, and children inherit
 * it.
 *
 * @param limit most open ones; {@link Integer#MAX_VALUE} where unknown
 * @param open number of open ones; 0 where unknown
 */
public record OpenFiles(int limit, int open) {
  /** Lowest limit with which an engine can work. */
  public static final int LEAST = 256;

  private static final Path PROCESS = Path.of("/proc/self");
  private static final String LIMIT = "Max open files";

  /** File descriptors of this process, now. */
  public static OpenFiles now() {
    return in(PROCESS);
  }

  /** File descriptors of the process with this folder. */
  static OpenFiles in(Path process) {
    try (Stream<Path> descriptors = Files.list(process.resolve("fd"));
        Stream<String> limits = Files.lines(process.resolve("limits"), StandardCharsets.US_ASCII)) {
      int limit =
          limits
              .filter(line -> line.startsWith(LIMIT))
              .mapToInt(OpenFiles::soft)
              .findFirst()
              .orElse(Integer.MAX_VALUE);
      return new OpenFiles(limit, (int) descriptors.count());
    } catch (IOException e) {
      return new OpenFiles(Integer.MAX_VALUE, 0); // not Linux
    }
  }

  private static int soft(String line) {
    String value = line.substring(LIMIT.length()).strip().split(" +", -1)[0];
    return value.equals("unlimited")
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, Long.parseLong(value));
  }

  /**
   * Checks that an engine can work with the limit.
   *
   * @throws IOException when it cannot; the message says what to do
   */
  public void check() throws IOException {
    if (limit < LEAST) {
      throw new IOException(
          "expected a limit of at least "
              + LEAST
              + " open files, found "
              + limit
              + ": raise it (ulimit -n, or LimitNOFILE= of a systemd unit)");
    }
  }
}
