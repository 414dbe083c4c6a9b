package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps the process running that writes the history. Nobody waits for it; the engine serves without
 * it. Any thread.
 */
public final class HistoryKeeper implements AutoCloseable {
  /** From the process: how many records it is behind. */
  public static final String LAG = "@lag";

  /** Time it may take to write what is left when the engine ends. */
  static final Duration LAST_WORK = Duration.ofSeconds(5);

  private static final Pattern LAG_LINE = Pattern.compile(Pattern.quote(LAG) + " (\\d{1,18})");

  private final KeptProcess process;
  private volatile long lag = -1;

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
   * @param lagRecords records on disk that are not in the history, as it last said; -1 before that
   */
  public record Picture(long pid, int starts, long lagRecords) {}

  /**
   * Keeps nothing running yet.
   *
   * @param warn told when the process ends unasked
   */
  public HistoryKeeper(Starter starter, Consumer<String> warn) {
    process = new KeptProcess("the history", LAST_WORK, null, starter::start, this::onLine, warn);
  }

  /** Starts the process. */
  public void start() {
    process.start();
  }

  /** What can be told now. */
  public Picture picture() {
    return new Picture(process.pid(), process.starts(), lag);
  }

  private boolean onLine(String line) {
    Matcher matcher = LAG_LINE.matcher(line);
    if (matcher.matches()) {
      lag = Long.parseLong(matcher.group(1));
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
