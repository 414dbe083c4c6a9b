package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Keeps the broker running, and a folder for the native code that it unpacks: emptied before each
 * start and removed at the end, so there is one copy at most, whoever was killed. Any thread.
 */
public final class BrokerKeeper implements AutoCloseable {
  /** From the process: the version of the plan in force, and what it is worth. */
  public static final String PLAN = "@plan";

  /** Time between two words of the process. */
  public static final Duration WORD_INTERVAL = Duration.ofSeconds(1);

  /** Time without a word after which it hangs. */
  static final Duration SILENCE = Duration.ofSeconds(10);

  /** Time it may take to end when the engine does. */
  static final Duration LAST_WORK = Duration.ofSeconds(2);

  private static final Pattern PLAN_LINE =
      Pattern.compile(Pattern.quote(PLAN) + " (\\d{1,18}) ([a-z-]{1,20})");

  private final KeptProcess process;
  private final Path natives;
  private final Consumer<String> warn;
  private volatile Plan plan = new Plan(0, "unknown");

  /**
   * A plan, as the process last told of it.
   *
   * @param version version of its table; 0 for none
   * @param state what it is worth: {@code optimal}, {@code relaxed}, {@code repaired}, {@code
   *     last-good}, {@code none}; {@code unknown} before the process has said
   */
  public record Plan(long version, String state) {}

  /**
   * What can be told of it.
   *
   * @param pid its process id; -1 while there is no process
   * @param starts how often it was started
   * @param plan the plan in force, as it last said
   */
  public record Picture(long pid, int starts, Plan plan) {}

  /** Starts the process. */
  @FunctionalInterface
  public interface Starter {
    /**
     * Starts it.
     *
     * @throws IOException when that is not possible
     */
    ReplicaStarter.Child start(ReplicaStarter.Listener listener) throws IOException;
  }

  /**
   * Keeps nothing running yet.
   *
   * @param natives folder for native code, of its own
   * @param warn told when the process ends unasked
   */
  public BrokerKeeper(Path natives, Starter starter, Consumer<String> warn) {
    this.natives = natives;
    this.warn = warn;
    KeptProcess.Starter cleaned =
        listener -> {
          remove(natives);
          Files.createDirectories(natives);
          return starter.start(listener);
        };
    process = new KeptProcess("the broker", LAST_WORK, SILENCE, cleaned, this::onLine, warn);
  }

  /** Starts the process. */
  public void start() {
    process.start();
  }

  /** What can be told now. */
  public Picture picture() {
    return new Picture(process.pid(), process.starts(), plan);
  }

  private boolean onLine(String line) {
    Matcher matcher = PLAN_LINE.matcher(line);
    if (matcher.matches()) {
      plan = new Plan(Long.parseLong(matcher.group(1)), matcher.group(2));
      return true;
    }
    return false;
  }

  private static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(folder)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : deepestFirst) {
      Files.deleteIfExists(each);
    }
  }

  /** Ends the process and removes its folder. */
  @Override
  public void close() {
    process.close();
    try {
      remove(natives);
    } catch (IOException e) {
      warn.accept("what the broker unpacked cannot be removed: " + e);
    }
  }
}
