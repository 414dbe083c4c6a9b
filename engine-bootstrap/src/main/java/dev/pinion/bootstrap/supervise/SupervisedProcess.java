package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a process running beside the replicas: restarts it when it ends, with growing delays when
 * it ends soon. Nothing waits for it; the engine serves without it. For any thread.
 */
final class SupervisedProcess implements AutoCloseable {
  /** Longest delay between two starts. */
  static final Duration MAX_DELAY = Duration.ofSeconds(30);

  /** Lifetime of a process after which its end counts as the first one. */
  static final Duration STABLE_AFTER = Duration.ofMinutes(1);

  /** Time after a message in which its content still holds. Messages come each second. */
  static final Duration FRESH = Duration.ofSeconds(5);

  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);

  private final String name;
  private final Duration lastWork;
  private final Watchdog watchdog;
  private final LongSupplier nanoTime;
  private final Starter starter;
  private final Predicate<String> heard;
  private final Consumer<String> warn;
  private final ScheduledExecutorService later;
  private final CountDownLatch ended = new CountDownLatch(1);
  private ReplicaStarter.@Nullable Child child;
  private Duration delay = FIRST_DELAY;
  private boolean closing;
  private int starts;
  private long startedNanos;
  private long heardNanos;

  /** Whether the process has reported since its start that it is well. */
  private boolean heardOf;

  /** Starts the process. */
  @FunctionalInterface
  interface Starter {
    /**
     * Starts the process.
     *
     * @throws IOException when that is not possible
     */
    ReplicaStarter.Child start(ReplicaStarter.ProcessListener processListener) throws IOException;
  }

  /**
   * Creates a keeper that has not started anything.
   *
   * @param name its name, such as {@code the history}
   * @param lastWork longest time of the process to end with the engine
   * @param watchdog detects missing messages, upon which the process is killed
   * @param nanoTime the monotonic clock
   * @param heard receives a line of the process; returns whether the line means that it is well
   * @param warn receives a message when the process ends unexpectedly
   */
  SupervisedProcess(
      String name,
      Duration lastWork,
      Watchdog watchdog,
      LongSupplier nanoTime,
      Starter starter,
      Predicate<String> heard,
      Consumer<String> warn) {
    this.name = name;
    this.lastWork = lastWork;
    this.watchdog = watchdog;
    this.nanoTime = nanoTime;
    this.starter = starter;
    this.heard = heard;
    this.warn = warn;
    this.later =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, name.replace("the ", "") + "-keeper");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Starts the process, and supervises it from then on. */
  @SuppressWarnings("FutureReturnValueIgnored") // a check reports its own findings
  synchronized void start() {
    long millis = Watchdog.CHECK_INTERVAL.toMillis();
    later.scheduleWithFixedDelay(this::checkHeartbeat, millis, millis, TimeUnit.MILLISECONDS);
    startProcess();
  }

  /** Starts another process. */
  synchronized void startProcess() {
    if (closing) {
      return;
    }
    try {
      starts++;
      startedNanos = nanoTime.getAsLong();
      heardOf = false;
      watchdog.start(startedNanos);
      child = starter.start(ReplicaStarter.ProcessListener.of(this::onLine, this::onExit));
    } catch (IOException | RuntimeException e) { // would be invisible in the future of a task
      watchdog.stop();
      warn.accept(name + " cannot be started: " + e.getMessage());
      startLater();
    }
  }

  /** Process id; -1 while there is no process. */
  synchronized long pid() {
    return child == null ? -1 : child.pid();
  }

  /** Sends a line to the process; returns whether there is one. */
  synchronized boolean send(String line) {
    if (child == null) {
      return false;
    }
    child.send(line);
    return true;
  }

  /** Whether there is a process that has recently reported that it is well. */
  synchronized boolean isAlive() {
    return child != null && heardOf && nanoTime.getAsLong() - heardNanos <= FRESH.toNanos();
  }

  /** Number of starts. */
  synchronized int starts() {
    return starts;
  }

  private synchronized void onLine(String line) {
    if (heard.test(line)) {
      heardOf = true;
      heardNanos = nanoTime.getAsLong();
      watchdog.reset(heardNanos);
    } else {
      warn.accept(name + " says: " + line);
    }
  }

  /** Kills a process that is stopped or stuck; its end starts another one. */
  synchronized void checkHeartbeat() {
    ReplicaStarter.Child watched = child;
    if (watchdog.isExpired(nanoTime.getAsLong()) && watched != null && !closing) {
      watchdog.stop();
      warn.accept(name + " has said nothing for too long and is killed; it is started again");
      watched.kill();
    }
  }

  private synchronized void onExit(int status) {
    child = null;
    watchdog.stop();
    if (closing) {
      ended.countDown();
      return;
    }
    if (nanoTime.getAsLong() - startedNanos >= STABLE_AFTER.toNanos()) {
      delay = FIRST_DELAY;
    }
    warn.accept(
        name
            + " ended with status "
            + status
            + "; the engine continues, and it is started again in "
            + delay.toSeconds()
            + " s");
    startLater();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a start reports its failure itself
  private void startLater() {
    later.schedule(this::startProcess, delay.toMillis(), TimeUnit.MILLISECONDS);
    Duration twice = delay.multipliedBy(2);
    delay = twice.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : twice;
  }

  /** Lets the process finish its work, for a limited time, and ends it. */
  @Override
  public void close() {
    ReplicaStarter.Child last;
    synchronized (this) {
      closing = true;
      later.shutdownNow();
      last = child;
    }
    if (last == null) {
      return;
    }
    last.send(ReplicaProtocol.DRAIN);
    try {
      if (!ended.await(lastWork.toMillis(), TimeUnit.MILLISECONDS)) {
        last.kill();
      }
    } catch (InterruptedException e) {
      last.kill();
      Thread.currentThread().interrupt();
    }
  }
}
