package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Keeps the broker running, and perhaps another one standing by, each with a folder for the native
 * code that it unpacks: emptied before each start and removed at the end, so there is one copy at
 * most of each, whoever was killed. Which of the two decides is between them. Any thread.
 */
public final class BrokerKeeper implements AutoCloseable {
  /** From the process that decides: the version of the plan in force, and what it is worth. */
  public static final String PLAN = "@plan";

  /** From a process that waits until nobody decides. */
  public static final String STANDBY = "@standby";

  /** From a process that begins: it reads what it keeps, or solves for the first time. */
  public static final String BEGINS = "@begins";

  /** Time between two words of a process. */
  public static final Duration WORD_INTERVAL = Duration.ofSeconds(1);

  /** Time that a process may take to its first word. */
  static final Duration FIRST_WORD = Duration.ofSeconds(60);

  /** Time without a word after which it is stopped or hangs. */
  static final Duration SILENCE = Duration.ofSeconds(10);

  /** Time it may take to end when the engine does. */
  static final Duration LAST_WORK = Duration.ofSeconds(2);

  private static final Pattern PLAN_LINE =
      Pattern.compile(Pattern.quote(PLAN) + " (\\d{1,18}) ([a-z-]{1,20})");

  private final List<Side> sides = new ArrayList<>();
  private final Consumer<String> warn;
  private volatile Plan plan = new Plan(0, "unknown");

  /**
   * A plan, as the process that decides last told of it.
   *
   * @param version version of its table; 0 for none
   * @param state what it is worth: {@code optimal}, {@code relaxed}, {@code repaired}, {@code
   *     last-good}, {@code none}; {@code unknown} before the process has said
   */
  public record Plan(long version, String state) {}

  /**
   * What can be told of it.
   *
   * @param pid id of the process that decides; -1 while none does
   * @param standby id of the process that stands by; -1 while none does
   * @param starts how often processes were started
   * @param plan the plan in force, as it was last said
   * @param answers whether a process decides, and has said so of late
   */
  public record Picture(long pid, long standby, int starts, Plan plan, boolean answers) {}

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
   * A process that is to run.
   *
   * @param natives folder for native code, of its own
   */
  public record Place(Path natives, Starter starter) {}

  /**
   * Keeps nothing running yet.
   *
   * @param places the broker, and perhaps one that stands by
   * @param warn told when a process ends unasked
   */
  public BrokerKeeper(List<Place> places, Consumer<String> warn) {
    this.warn = warn;
    for (Place place : places) {
      sides.add(new Side(sides.isEmpty() ? "the broker" : "the other broker", place));
    }
  }

  /** Starts the processes. */
  public void start() {
    sides.forEach(side -> side.process.begin());
  }

  /** What can be told now. */
  public Picture picture() {
    int starts = sides.stream().mapToInt(side -> side.process.starts()).sum();
    long decides = pid(Word.PLAN);
    long pid = decides < 0 ? pid(Word.NONE) : decides; // one that says nothing yet may
    boolean answers = said(Word.PLAN).anyMatch(side -> side.process.isHeard());
    return new Picture(pid, pid(Word.STANDBY), starts, plan, answers);
  }

  private long pid(Word last) {
    return said(last).mapToLong(side -> side.process.pid()).findFirst().orElse(-1);
  }

  /** Those that run and whose last word was this one. */
  private Stream<Side> said(Word last) {
    return sides.stream().filter(side -> side.last == last).filter(side -> side.process.pid() >= 0);
  }

  /**
   * Has the process that decides profile itself.
   *
   * @return whether one runs that decides, or may do so soon, and so was told
   */
  public boolean profile(ProfileOrder order) {
    return Stream.concat(said(Word.PLAN), said(Word.NONE))
        .findFirst()
        .map(side -> side.process.say(order.line()))
        .orElse(false);
  }

  /** What a process said last. */
  private enum Word {
    NONE,
    STANDBY,
    PLAN
  }

  /** One of the processes. */
  private final class Side {
    private final KeptProcess process;
    private final Path natives;
    private volatile Word last = Word.NONE;

    Side(String name, Place place) {
      natives = place.natives();
      KeptProcess.Starter cleaned =
          listener -> {
            last = Word.NONE;
            remove(natives);
            DataSubfolder.make(Objects.requireNonNull(natives.getParent()));
            DataSubfolder.make(natives);
            return place.starter().start(listener);
          };
      process =
          new KeptProcess(
              name,
              LAST_WORK,
              new Heartbeat(FIRST_WORD, SILENCE),
              System::nanoTime,
              cleaned,
              this::onLine,
              warn);
    }

    private boolean onLine(String line) {
      Matcher matcher = PLAN_LINE.matcher(line);
      if (matcher.matches()) {
        plan = new Plan(Long.parseLong(matcher.group(1)), matcher.group(2));
        last = Word.PLAN;
        return true;
      }
      if (line.equals(STANDBY)) {
        last = Word.STANDBY;
        return true;
      }
      return line.equals(BEGINS);
    }

    void close() {
      process.close();
      try {
        remove(natives);
      } catch (IOException e) {
        warn.accept("what the broker unpacked cannot be removed: " + e);
      }
    }
  }

  private static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(folder)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path each : deepestFirst) {
      Files.deleteIfExists(each);
    }
  }

  /** Ends the processes, who stands by first, and removes their folders. */
  @Override
  public void close() {
    sides.stream().filter(side -> side.last == Word.STANDBY).forEach(Side::close);
    sides.stream().filter(side -> side.last != Word.STANDBY).forEach(Side::close);
  }
}
