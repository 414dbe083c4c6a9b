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

  private static final Word NOTHING = new Word(-1, 0, "");

  private static final Pattern LAG_LINE =
      Pattern.compile(Pattern.quote(LAG) + " (\\d{1,18}|-) (\\d{1,9})(?: (.+))?");

  private final KeptProcess process;
  private volatile Word last = NOTHING;

  /** What the process said last. */
  private record Word(long lag, int passedOver, String failure) {}

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
    process =
        new KeptProcess(
            "the history",
            LAST_WORK,
            new Heartbeat(FIRST_WORD, SILENCE),
            System::nanoTime,
            starter::start,
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
