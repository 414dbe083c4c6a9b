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
 * Keeps the broker running, and perhaps a standby, each with a folder for the native code that it
 * unpacks: emptied before each start and removed at the end, so there is at most one copy of each,
 * whichever process was killed. The two elect the active one themselves. For any thread.
 */
public final class BrokerKeeper implements AutoCloseable {
  /** From the active process: the version of the plan in force, and its quality. */
  public static final String PLAN = "@plan";

  /** From a standby, which waits until no process is active. */
  public static final String STANDBY = "@standby";

  /** From a starting process: it reads its stored state, or solves for the first time. */
  public static final String BEGINS = "@begins";

  /** Time between two messages of a process. */
  public static final Duration WORD_INTERVAL = Duration.ofSeconds(1);

  /** Longest time of a process until its first message. */
  static final Duration FIRST_WORD = Duration.ofSeconds(60);

  /** Time without a message after which a process counts as stopped or hanging. */
  static final Duration SILENCE = Duration.ofSeconds(10);

  /** Longest time of a process to end with the engine. */
  static final Duration LAST_WORK = Duration.ofSeconds(2);

  private static final Pattern PLAN_LINE =
      Pattern.compile(Pattern.quote(PLAN) + " (\\d{1,18}) ([a-z-]{1,20})");

  private final List<Side> sides = new ArrayList<>();
  private final Consumer<String> warn;
  private volatile Plan plan = new Plan(0, "unknown");

  /**
   * A plan in the last report of the active process.
   *
   * @param version version of its table; 0 for none
   * @param state its quality: {@code optimal}, {@code relaxed}, {@code repaired}, {@code
   *     last-good}, {@code none}; {@code unknown} before the first report
   */
  public record Plan(long version, String state) {}

  /**
   * Status of the broker.
   *
   * @param pid id of the active process; -1 if there is none
   * @param standby id of the standby process; -1 if there is none
   * @param starts number of starts of processes
   * @param plan the plan in force, by the last report
   * @param answers whether a process is active, and has said so recently
   */
  public record Picture(long pid, long standby, int starts, Plan plan, boolean answers) {}

  /** Starts the process. */
  @FunctionalInterface
  public interface Starter {
    /**
     * Starts the process.
     *
     * @throws IOException when that is not possible
     */
    ReplicaStarter.Child start(ReplicaStarter.Listener listener) throws IOException;
  }

  /**
   * A process to run.
   *
   * @param natives its separate folder for native code
   */
  public record Place(Path natives, Starter starter) {}

  /**
   * Creates a keeper that has not started anything.
   *
   * @param places the broker, and perhaps a standby
   * @param warn receives a message when a process ends unexpectedly
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

  /** Current status. */
  public Picture picture() {
    int starts = sides.stream().mapToInt(side -> side.process.starts()).sum();
    long decides = pid(Word.PLAN);
    long pid = decides < 0 ? pid(Word.NONE) : decides; // a process without a message yet may be it
    boolean answers = said(Word.PLAN).anyMatch(side -> side.process.isHeard());
    return new Picture(pid, pid(Word.STANDBY), starts, plan, answers);
  }

  private long pid(Word last) {
    return said(last).mapToLong(side -> side.process.pid()).findFirst().orElse(-1);
  }

  /** Running processes whose last message was this one. */
  private Stream<Side> said(Word last) {
    return sides.stream().filter(side -> side.last == last).filter(side -> side.process.pid() >= 0);
  }

  /**
   * Orders a profile from the active process.
   *
   * @return whether there is a process that is active, or may be soon, and received the order
   */
  public boolean profile(ProfileOrder order) {
    return Stream.concat(said(Word.PLAN), said(Word.NONE))
        .findFirst()
        .map(side -> side.process.say(order.line()))
        .orElse(false);
  }

  /** Last message of a process. */
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
        warn.accept("files unpacked by the broker cannot be removed: " + e);
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

  /** Ends the processes, the standby first, and removes their folders. */
  @Override
  public void close() {
    sides.stream().filter(side -> side.last == Word.STANDBY).forEach(Side::close);
    sides.stream().filter(side -> side.last != Word.STANDBY).forEach(Side::close);
  }
}
