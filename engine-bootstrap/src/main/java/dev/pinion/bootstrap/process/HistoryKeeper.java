package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the process running that writes the history. Nobody waits for it; the engine serves without
 * it. Any thread.
 */
public final class HistoryKeeper implements AutoCloseable {
  /** From the process, once a second: how far behind it is, and what keeps it from going on. */
  public static final String LAG = "@lag";

  /** Argument of a process whose predecessor failed by itself and was not killed from outside. */
  public static final String AFTER_FAILURE = "after-failure";

  /** In place of a number of records that is not known. */
  public static final String UNKNOWN_LAG = "-";

  /** Time between two words of the process. */
  public static final Duration WORD_INTERVAL = Duration.ofSeconds(1);

  /** Time that it may take to its first word. */
  static final Duration FIRST_WORD = Duration.ofSeconds(60);

  /** Time without a word after which it is stopped or hangs. It is nice to all others. */
  static final Duration SILENCE = Duration.ofSeconds(10);

  /** Time it may take to write what is left when the engine ends. */
  static final Duration LAST_WORK = Duration.ofSeconds(5);

  /** Exit statuses above it are this and the number of a signal. */
  private static final int SIGNALLED = 128;

  /** Exit status of a JVM that has crashed (SIGABRT). */
  private static final int CRASHED = SIGNALLED + 6;

  private static final Word NOTHING = new Word(-1, 0, "");

  private static final Pattern LAG_LINE =
      Pattern.compile(Pattern.quote(LAG) + " (\\d{1,18}|-) (\\d{1,9})(?: (.+))?");

  private final KeptProcess process;
  private final Starter starter;
  private volatile Word last = NOTHING;
  private volatile boolean failed;

  /** What the process said last. */
  private record Word(long lag, int passedOver, String failure) {}

  /** Starts the process. */
  @FunctionalInterface
  public interface Starter {
    /**
     * Starts it.
     *
     * @param afterFailure whether the process before it failed by itself
     * @throws IOException when that is not possible
     */
    ReplicaStarter.Child start(boolean afterFailure, ReplicaStarter.Listener listener)
        throws IOException;
  }

  /**
   * What can be told of it.
   *
   * @param pid its process id; -1 while there is no process
   * @param starts how often it was started
   * @param lagRecords records on disk that are not in the history, as it last said; -1 while that
   *     is not known, as when it starts, or is stopped and says nothing
   * @param passedOver instances that it leaves out because they do not fit into its memory
   * @param failure what keeps it from going on, and what to do; empty when nothing does
   */
  public record Picture(long pid, int starts, long lagRecords, int passedOver, String failure) {}

  /**
   * Keeps nothing running yet.
   *
   * @param warn told when the process ends unasked
   */
  public HistoryKeeper(Starter starter, Consumer<String> warn) {
    this.starter = starter;
    process =
        new KeptProcess(
            "the history",
            LAST_WORK,
            new Heartbeat(FIRST_WORD, SILENCE),
            System::nanoTime,
            this::start,
            this::onLine,
            warn);
  }

  /** What the process says of itself, as one line. */
  public static String line(long lagRecords, int passedOver, @Nullable String failure) {
    String lag = lagRecords < 0 ? UNKNOWN_LAG : Long.toString(lagRecords);
    String why = failure == null ? "" : failure.replaceAll("\\R", " ").strip();
    return LAG + " " + lag + " " + passedOver + (why.isEmpty() ? "" : " " + why);
  }

  /** Starts the process. */
  public void start() {
    process.begin();
  }

  private ReplicaStarter.Child start(ReplicaStarter.Listener listener) throws IOException {
    return starter.start(
        failed,
        ReplicaStarter.Listener.of(
            listener::onLine,
            status -> {
              failed = isFailure(status);
              listener.onExit(status);
            }));
  }

  /** Whether a process ended by what it did. What a signal ends need not be at fault. */
  static boolean isFailure(int status) {
    return status < SIGNALLED || status == CRASHED;
  }

  /** What can be told now. */
  public Picture picture() {
    Word word = process.isHeard() ? last : NOTHING;
    return new Picture(process.pid(), process.starts(), word.lag, word.passedOver, word.failure);
  }

  private boolean onLine(String line) {
    Matcher matcher = LAG_LINE.matcher(line);
    if (matcher.matches()) {
      String lag = matcher.group(1);
      String failure = matcher.group(3);
      last =
          new Word(
              lag.equals(UNKNOWN_LAG) ? -1 : Long.parseLong(lag),
              Integer.parseInt(matcher.group(2)),
              failure == null ? "" : failure);
      return true;
    }
    return false;
  }

  /** Lets the process write what is left, for a while, and ends it. */
  @Override
  public void close() {
    process.close();
  }
}
