package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the process running that writes the history: starts it again when it ends, ever later when
 * it does so soon. Nobody waits for it; the engine serves without it. Any thread.
 */
public final class HistoryKeeper implements AutoCloseable {
  /** From the process: how many records it is behind. */
  public static final String LAG = "@lag";

  /** The longest time between two starts. */
  static final Duration MAX_DELAY = Duration.ofSeconds(30);

  /** Time it may take to write what is left when the engine ends. */
  static final Duration LAST_WORK = Duration.ofSeconds(5);

  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  private static final Pattern LAG_LINE = Pattern.compile(Pattern.quote(LAG) + " (\\d{1,18})");

  private final Starter starter;
  private final Consumer<String> warn;
  private final ScheduledExecutorService again =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "history-keeper");
            thread.setDaemon(true);
            return thread;
          });
  private final CountDownLatch ended = new CountDownLatch(1);
  private ReplicaStarter.@Nullable Child child;
  private Duration delay = FIRST_DELAY;
  private boolean closing;
  private long lag = -1;
  private int starts;

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
    this.starter = starter;
    this.warn = warn;
  }

  /** Starts the process. */
  public synchronized void start() {
    if (closing) {
      return;
    }
    try {
      starts++;
      child = starter.start(ReplicaStarter.Listener.of(this::onLine, this::onExit));
    } catch (IOException e) {
      warn.accept("the history cannot be started: " + e.getMessage());
      startLater();
    }
  }

  /** What can be told now. */
  public synchronized Picture picture() {
    return new Picture(child == null ? -1 : child.pid(), starts, lag);
  }

  private synchronized void onLine(String line) {
    Matcher matcher = LAG_LINE.matcher(line);
    if (matcher.matches()) {
      lag = Long.parseLong(matcher.group(1));
      delay = FIRST_DELAY;
    } else {
      warn.accept("the history says: " + line);
    }
  }

  private synchronized void onExit(int status) {
    child = null;
    if (closing) {
      ended.countDown();
      return;
    }
    warn.accept(
        "the history ended with status "
            + status
            + "; the engine goes on, and it is started again in "
            + delay.toSeconds()
            + " s");
    startLater();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a start reports its own failure
  private void startLater() {
    again.schedule(this::start, delay.toMillis(), TimeUnit.MILLISECONDS);
    Duration twice = delay.multipliedBy(2);
    delay = twice.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : twice;
  }

  /** Lets the process write what is left, for a while, and ends it. */
  @Override
  public void close() {
    again.shutdownNow();
    ReplicaStarter.Child last;
    synchronized (this) {
      closing = true;
      last = child;
    }
    if (last == null) {
      return;
    }
    last.say(ReplicaProtocol.DRAIN);
    try {
      if (!ended.await(LAST_WORK.toMillis(), TimeUnit.MILLISECONDS)) {
        last.kill();
      }
    } catch (InterruptedException e) {
      last.kill();
      Thread.currentThread().interrupt();
    }
  }
}
