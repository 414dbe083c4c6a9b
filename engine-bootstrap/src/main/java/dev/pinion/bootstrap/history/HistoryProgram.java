package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.child.DataDirectoryCheck;
import dev.pinion.bootstrap.history.publish.PublisherThreadFactory;
import dev.pinion.bootstrap.logging.LostLinesNotice;
import dev.pinion.bootstrap.process.LogPipe;
import dev.pinion.bootstrap.process.Signals;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.supervise.HistorySupervisor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Life of the history process. It runs beside the replicas, which never wait for it: its garbage,
 * CPU time and failures do not affect them.
 */
public final class HistoryProgram {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryProgram.class);
  private static final Duration LOG_PATIENCE = Duration.ofSeconds(1);

  private static final Clock CLOCK = Clock.system();

  /**
   * Time after which one piece of work counts as hanging: then no more messages are sent, and the
   * process is ended.
   */
  static final Duration LONGEST_WORK = Duration.ofMinutes(5);

  /** Passes without anything new after which everything is written: reports are a pass late. */
  private static final int LAST_IDLE_PASSES = 3;

  private final BufferedReader parent;
  private final PrintStream toParent;
  private final CountDownLatch drain = new CountDownLatch(1);

  /** Time of the latest progress, by {@link #CLOCK}. */
  private volatile long workedNanos = CLOCK.nanoTime();

  /** Status message for the parent; as of the last pass. */
  private volatile String word = HistorySupervisor.line(-1, 0, null);

  private long saidNanos = workedNanos;

  /** Has a permit when there may be work before the next regular check. */
  private final Semaphore work = new Semaphore(0);

  private final boolean afterFailure;

  private HistoryProgram(BufferedReader parent, PrintStream toParent, boolean afterFailure) {
    this.afterFailure = afterFailure;
    this.parent = parent;
    this.toParent = toParent;
  }

  /**
   * Runs this JVM until it is asked to end.
   *
   * @param afterFailure whether the previous history process failed by itself
   * @return exit status
   */
  static int execute(boolean afterFailure) throws InterruptedException {
    PrintStream toParent = System.out;
    LogPipe log = LogPipe.to("log", FileDescriptor.err, LostLinesNotice::line);
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    System.setOut(System.err);
    Signals.handle("INT", () -> {});
    Signals.handle("HUP", () -> {});
    Signals.handle("TERM", () -> {}); // the parent decides when, after the last replica
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int status = new HistoryProgram(in, toParent, afterFailure).run();
    log.end(LOG_PATIENCE);
    return status;
  }

  private int run() throws InterruptedException {
    try {
      EffectiveSettings settings = EffectiveSettings.read(parent);
      if (settings == null) {
        return ReplicaProtocol.EXIT_ORPHANED;
      }
      watchParent();
      DataDirectoryCheck.check(settings);
      Thread.ofPlatform().daemon().name("history-beat").start(this::reportUntilDrained);
      EngineLimits limits = EngineLimits.defaults().with(settings.limits());
      HistoryDatabase database = database(settings, limits);
      if (database == null) {
        return 0;
      }
      Path data = settings.get(SettingKey.DATA);
      try (HistoryProjection projection =
              new HistoryProjection(data, database, limits, CLOCK, this::progress, afterFailure);
          OutboxDispatcher outboxDispatcher =
              projection.dispatcher(
                  settings.get(SettingKey.SINKS),
                  new PublisherThreadFactory(settings),
                  work::release)) {
        LOG.info("the history is kept in {}", database);
        follow(projection, outboxDispatcher);
        return projection.isToBeginAnew() ? ReplicaProtocol.EXIT_RESTART : 0;
      }
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      LOG.error("the history cannot be kept", e);
      return ReplicaProtocol.EXIT_CANNOT_START;
    }
  }

  /** The database of an engine's settings; null for none. */
  public static @Nullable HistoryDatabase database(
      EffectiveSettings settings, EngineLimits limits) {
    DatabaseTarget target =
        DatabaseTarget.of(
            settings.get(SettingKey.HISTORY),
            settings.get(SettingKey.DATA),
            settings.get(SettingKey.HISTORY_USER),
            settings.get(SettingKey.HISTORY_PASSWORD));
    return target == null ? null : new HistoryDatabase(target, limits.history());
  }

  private void follow(HistoryProjection projection, OutboxDispatcher outboxDispatcher)
      throws InterruptedException {
    int idle = 0;
    while (idle < LAST_IDLE_PASSES && !projection.isToBeginAnew()) {
      work.drainPermits();
      int waitMillis = projection.poll();
      waitMillis = !projection.isCareful() && outboxDispatcher.dispatchBatch() ? 0 : waitMillis;
      boolean ending = drain.getCount() == 0;
      idle = ending && waitMillis > 0 ? idle + 1 : 0;
      worked(projection, outboxDispatcher);
      if (!ending) {
        var _ = work.tryAcquire(waitMillis, TimeUnit.MILLISECONDS);
      }
    }
  }

  /** Records progress of reading and writing: the work is long, but does not hang. */
  private void progress() {
    workedNanos = CLOCK.nanoTime();
  }

  private void worked(HistoryProjection projection, OutboxDispatcher outboxDispatcher) {
    long now = CLOCK.nanoTime();
    boolean due = now - saidNanos >= HistorySupervisor.REPORT_INTERVAL.toNanos();
    workedNanos = now;
    if (due) {
      saidNanos = now;
      String failure = projection.failure();
      word =
          HistorySupervisor.line(
              projection.lag(),
              projection.skippedInstances(),
              failure == null ? outboxDispatcher.failure() : failure);
    }
  }

  /** Reports that the process is alive, even during long work; but not when the work hangs. */
  private void reportUntilDrained() {
    try {
      do {
        if (CLOCK.nanoTime() - workedNanos > LONGEST_WORK.toNanos()) {
          LOG.error(
              "expected work of at most {}, found some that has not ended; the history"
                  + " is started again",
              LONGEST_WORK);
          boolean _ = drain.await(LOG_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
          Runtime.getRuntime().halt(ReplicaProtocol.EXIT_HANGS);
        }
        toParent.println(word);
        toParent.flush();
      } while (!drain.await(HistorySupervisor.REPORT_INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void watchParent() {
    Thread watch = new Thread(this::listen, "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private void listen() {
    try {
      String line = parent.readLine();
      while (line != null) {
        if (line.equals(ReplicaProtocol.DRAIN)) {
          drain.countDown();
          work.release();
        }
        line = parent.readLine();
      }
    } catch (IOException e) {
      // A broken pipe means the same as its end.
    }
    Runtime.getRuntime().halt(ReplicaProtocol.EXIT_ORPHANED);
  }
}
