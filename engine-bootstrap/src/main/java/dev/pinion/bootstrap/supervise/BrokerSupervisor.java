package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.datadir.DataSubdirectory;
import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.protocol.ProfileRequest;
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
public final class BrokerSupervisor implements AutoCloseable {
  /** From the active process: the version of the plan in force, and its quality. */
  public static final String PLAN = "@plan";

  /** From a standby, which waits until no process is active. */
  public static final String STANDBY = "@standby";

  /** From a starting process: it reads its stored state, or solves for the first time. */
  public static final String STARTING = "@begins";

  /** Time between two messages of a process. */
  public static final Duration REPORT_INTERVAL = Duration.ofSeconds(1);

  /** Longest time of a process until its first message. */
  static final Duration START_TIMEOUT = Duration.ofSeconds(60);

  /** Time without a message after which a process counts as stopped or hanging. */
  static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(10);

  /** Longest time of a process to end with the engine. */
  static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

  private static final Pattern PLAN_LINE =
      Pattern.compile(Pattern.quote(PLAN) + " (\\d{1,18}) ([a-z-]{1,20})");

  private final List<BrokerProcess> sides = new ArrayList<>();
  private final Consumer<String> warn;
  private volatile PlanStatus planStatus = new PlanStatus(0, "unknown");

  /**
   * A plan in the last report of the active process.
   *
   * @param version version of its table; 0 for none
   * @param state its quality: {@code optimal}, {@code relaxed}, {@code repaired}, {@code
   *     last-good}, {@code none}; {@code unknown} before the first report
   */
  public record PlanStatus(long version, String state) {}

  /**
   * Status of the broker.
   *
   * @param pid id of the active process; -1 if there is none
   * @param standby id of the standby process; -1 if there is none
   * @param starts number of starts of processes
   * @param plan the plan in force, by the last report
   * @param ready whether a process is active, and has said so recently
   */
  public record BrokerStatus(long pid, long standby, int starts, PlanStatus plan, boolean ready) {}

  /** Starts the process. */
  @FunctionalInterface
  public interface BrokerStarter {
    /**
     * Starts the process.
     *
     * @throws IOException when that is not possible
     */
    ReplicaStarter.Child start(ReplicaStarter.ProcessListener processListener) throws IOException;
  }

  /**
   * A process to run.
   *
   * @param natives its separate folder for native code
   */
  public record BrokerSpec(Path natives, BrokerStarter starter) {}

  /**
   * Creates a keeper that has not started anything.
   *
   * @param places the broker, and perhaps a standby
   * @param warn receives a message when a process ends unexpectedly
   */
  public BrokerSupervisor(List<BrokerSpec> places, Consumer<String> warn) {
    this.warn = warn;
    for (BrokerSpec brokerSpec : places) {
      sides.add(new BrokerProcess(sides.isEmpty() ? "the broker" : "the other broker", brokerSpec));
    }
  }

  /** Starts the processes. */
  public void start() {
    sides.forEach(brokerProcess -> brokerProcess.process.start());
  }

  /** Current status. */
  public BrokerStatus status() {
    int starts = sides.stream().mapToInt(brokerProcess -> brokerProcess.process.starts()).sum();
    long decides = pid(Role.PLAN);
    long pid = decides < 0 ? pid(Role.NONE) : decides; // a process without a message yet may be it
    boolean answers =
        withRole(Role.PLAN).anyMatch(brokerProcess -> brokerProcess.process.isAlive());
    return new BrokerStatus(pid, pid(Role.STANDBY), starts, planStatus, answers);
  }

  private long pid(Role last) {
    return withRole(last)
        .mapToLong(brokerProcess -> brokerProcess.process.pid())
        .findFirst()
        .orElse(-1);
  }

  /** Running processes whose last message was this one. */
  private Stream<BrokerProcess> withRole(Role last) {
    return sides.stream()
        .filter(brokerProcess -> brokerProcess.last == last)
        .filter(brokerProcess -> brokerProcess.process.pid() >= 0);
  }

  /**
   * Orders a profile from the active process.
   *
   * @return whether there is a process that is active, or may be soon, and received the order
   */
  public boolean profile(ProfileRequest order) {
    return Stream.concat(withRole(Role.PLAN), withRole(Role.NONE))
        .findFirst()
        .map(brokerProcess -> brokerProcess.process.send(order.line()))
        .orElse(false);
  }

  /** Last message of a process. */
  private enum Role {
    NONE,
    STANDBY,
    PLAN
  }

  /** One of the processes. */
  private final class BrokerProcess {
    private final SupervisedProcess process;
    private final Path natives;
    private volatile Role last = Role.NONE;

    BrokerProcess(String name, BrokerSpec brokerSpec) {
      natives = brokerSpec.natives();
      SupervisedProcess.Starter cleaned =
          processListener -> {
            last = Role.NONE;
            remove(natives);
            DataSubdirectory.make(Objects.requireNonNull(natives.getParent()));
            DataSubdirectory.make(natives);
            return brokerSpec.starter().start(processListener);
          };
      process =
          new SupervisedProcess(
              name,
              SHUTDOWN_TIMEOUT,
              new Watchdog(START_TIMEOUT, SILENCE_TIMEOUT),
              System::nanoTime,
              cleaned,
              this::onLine,
              warn);
    }

    private boolean onLine(String line) {
      Matcher matcher = PLAN_LINE.matcher(line);
      if (matcher.matches()) {
        planStatus = new PlanStatus(Long.parseLong(matcher.group(1)), matcher.group(2));
        last = Role.PLAN;
        return true;
      }
      if (line.equals(STANDBY)) {
        last = Role.STANDBY;
        return true;
      }
      return line.equals(STARTING);
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
    sides.stream()
        .filter(brokerProcess -> brokerProcess.last == Role.STANDBY)
        .forEach(BrokerProcess::close);
    sides.stream()
        .filter(brokerProcess -> brokerProcess.last != Role.STANDBY)
        .forEach(BrokerProcess::close);
  }
}
