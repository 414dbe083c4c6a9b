package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.process.ReplicaStarter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the process running that writes the history. Nothing waits for it; the engine serves
 * without it. For any thread.
 */
public final class HistorySupervisor implements AutoCloseable {
  /**
   * From the process, once a second: its lag, the events that wait for subscribers, and the reason
   * for slow progress.
   */
  public static final String LAG = "@lag";

  /** From the process, once a second for each sink of lifecycle events: how far it is. */
  public static final String SINK = "@sink";

  /** Argument of a process whose predecessor failed by itself and was not killed externally. */
  public static final String AFTER_FAILURE = "after-failure";

  /** Placeholder for an unknown number. */
  public static final String UNKNOWN_LAG = "-";

  /** Time between two messages of the process. */
  public static final Duration REPORT_INTERVAL = Duration.ofSeconds(1);

  /** Longest time until its first message. */
  static final Duration START_TIMEOUT = Duration.ofSeconds(60);

  /**
   * Time without a message after which the process counts as stopped or hanging. It runs at low
   * priority.
   */
  static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(10);

  /** Longest time for writing the rest when the engine ends. */
  static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

  /** Exit statuses above are the sum of this and the number of a signal. */
  private static final int SIGNALLED = 128;

  /** Exit status of a JVM that has crashed (SIGABRT). */
  private static final int CRASHED = SIGNALLED + 6;

  private static final LagReport NOTHING = new LagReport(-1, 0, -1, "");

  private static final Pattern LAG_LINE =
      Pattern.compile(Pattern.quote(LAG) + " (\\d{1,18}|-) (\\d{1,9}) (\\d{1,18}|-)(?: (.+))?");

  private static final Pattern SINK_LINE =
      Pattern.compile(
          Pattern.quote(SINK) + " ([A-Za-z0-9@-]{1,127}) (\\d{1,18}) (\\d{1,18}) (\\d{1,18})");

  private final SupervisedProcess process;
  private final HistoryStarter historyStarter;
  private volatile LagReport last = NOTHING;
  private volatile boolean failed;

  /** Last messages of the process about sinks, by their names. */
  private final Map<String, SinkStatus> sinks = new ConcurrentSkipListMap<>();

  /** Last message of the process. */
  private record LagReport(long lag, int passedOver, long outbox, String failure) {}

  /** Starts the process. */
  @FunctionalInterface
  public interface HistoryStarter {
    /**
     * Starts the process.
     *
     * @param afterFailure whether the previous process failed by itself
     * @throws IOException when that is not possible
     */
    ReplicaStarter.Child start(boolean afterFailure, ReplicaStarter.ProcessListener processListener)
        throws IOException;
  }

  /**
   * Status of the history.
   *
   * @param pid its process id; -1 while there is no process
   * @param starts number of starts
   * @param lagRecords records on disk that are not in the history, by its last message; -1 while
   *     unknown, for instance while it starts, or is stopped and sends nothing
   * @param skippedInstances instances left out because they do not fit into its memory
   * @param outboxEvents events that wait for subscribers, by its last message; -1 while unknown
   * @param failure reason for slow progress, and advice; empty for none
   * @param sinks sinks of lifecycle events, by name
   */
  public record HistoryStatus(
      long pid,
      int starts,
      long lagRecords,
      int skippedInstances,
      long outboxEvents,
      String failure,
      List<SinkStatus> sinks) {
    /** Copies the list. */
    public HistoryStatus {
      sinks = List.copyOf(sinks);
    }

    /** The status of a history without sinks. */
    public HistoryStatus(
        long pid,
        int starts,
        long lagRecords,
        int skippedInstances,
        long outboxEvents,
        String failure) {
      this(pid, starts, lagRecords, skippedInstances, outboxEvents, failure, List.of());
    }
  }

  /**
   * Status of a sink of lifecycle events.
   *
   * @param name its name, with the namespace if it is for one only
   * @param delivered events that it has accepted since it was named
   * @param lost events that it did not get, as too many waited
   * @param waiting events of the outbox behind its position
   */
  public record SinkStatus(String name, long delivered, long lost, long waiting) {}

  /**
   * Creates a keeper that has not started anything.
   *
   * @param warn receives a message when the process ends unexpectedly
   */
  public HistorySupervisor(HistoryStarter historyStarter, Consumer<String> warn) {
    this.historyStarter = historyStarter;
    process =
        new SupervisedProcess(
            "the history",
            SHUTDOWN_TIMEOUT,
            new Watchdog(START_TIMEOUT, SILENCE_TIMEOUT),
            System::nanoTime,
            this::start,
            this::onLine,
            warn);
  }

  /** Status message of the process, as one line. */
  public static String line(
      long lagRecords, int passedOver, long outboxEvents, @Nullable String failure) {
    String why = failure == null ? "" : failure.replaceAll("\\R", " ").strip();
    return String.join(
        " ",
        LAG,
        told(lagRecords),
        Integer.toString(passedOver),
        told(outboxEvents) + (why.isEmpty() ? "" : " " + why));
  }

  /** Status message about a sink, as one line. */
  public static String line(SinkStatus sink) {
    return String.join(
        " ",
        SINK,
        sink.name,
        Long.toString(sink.delivered),
        Long.toString(sink.lost),
        Long.toString(sink.waiting));
  }

  private static String told(long number) {
    return number < 0 ? UNKNOWN_LAG : Long.toString(number);
  }

  private static long read(String number) {
    return number.equals(UNKNOWN_LAG) ? -1 : Long.parseLong(number);
  }

  /** Starts the process. */
  public void start() {
    process.start();
  }

  private ReplicaStarter.Child start(ReplicaStarter.ProcessListener processListener)
      throws IOException {
    return historyStarter.start(
        failed,
        ReplicaStarter.ProcessListener.of(
            processListener::onLine,
            status -> {
              failed = isFailure(status);
              processListener.onExit(status);
            }));
  }

  /** Whether a process ended because of a failure. One ended by a signal need not be at fault. */
  static boolean isFailure(int status) {
    return status < SIGNALLED || status == CRASHED;
  }

  /** Current status. */
  public HistoryStatus status() {
    LagReport lagReport = process.isAlive() ? last : NOTHING;
    return new HistoryStatus(
        process.pid(),
        process.starts(),
        lagReport.lag,
        lagReport.passedOver,
        lagReport.outbox,
        lagReport.failure,
        List.copyOf(sinks.values()));
  }

  private boolean onLine(String line) {
    Matcher matcher = LAG_LINE.matcher(line);
    if (matcher.matches()) {
      String failure = matcher.group(4);
      last =
          new LagReport(
              read(matcher.group(1)),
              Integer.parseInt(matcher.group(2)),
              read(matcher.group(3)),
              failure == null ? "" : failure);
      return true;
    }
    return onSinkLine(line);
  }

  private boolean onSinkLine(String line) {
    Matcher matcher = SINK_LINE.matcher(line);
    if (!matcher.matches()) {
      return false;
    }
    sinks.put(
        matcher.group(1),
        new SinkStatus(
            matcher.group(1),
            Long.parseLong(matcher.group(2)),
            Long.parseLong(matcher.group(3)),
            Long.parseLong(matcher.group(4))));
    return true;
  }

  /** Lets the process write the rest, for a limited time, and ends it. */
  @Override
  public void close() {
    process.close();
  }
}
