package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.child.ChildProcess;
import dev.pinion.bootstrap.child.DataDirectoryCheck;
import dev.pinion.bootstrap.child.ParentPipe;
import dev.pinion.bootstrap.history.publish.PublisherThreadFactory;
import dev.pinion.bootstrap.history.publish.StandingSubscriptions;
import dev.pinion.bootstrap.history.publish.Subscription;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.supervise.HistorySupervisor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

  /** Time for the last lines of the log before a hanging process ends itself. */
  private static final Duration LOG_PATIENCE = Duration.ofSeconds(1);

  private static final Clock CLOCK = Clock.system();

  /**
   * Time after which one piece of work counts as hanging: then no more messages are sent, and the
   * process is ended.
   */
  static final Duration LONGEST_WORK = Duration.ofMinutes(5);

  /** Passes without anything new after which everything is written: reports are a pass late. */
  private static final int LAST_IDLE_PASSES = 3;

  private final ParentPipe parent;

  /** Time of the latest progress, by {@link #CLOCK}. */
  private volatile long workedNanos = CLOCK.nanoTime();

  /** Status message for the parent; as of the last pass. */
  private volatile String word = HistorySupervisor.line(-1, 0, -1, null);

  /** Messages about sinks for the parent; likewise. */
  private volatile List<String> sinkWords = List.of();

  private long saidNanos = workedNanos;

  /** Has a permit when there may be work before the next regular check. */
  private final Semaphore work = new Semaphore(0);

  private final boolean afterFailure;

  private HistoryProgram(ParentPipe parent, boolean afterFailure) {
    this.parent = parent;
    this.afterFailure = afterFailure;
  }

  /**
   * Runs this JVM until it is asked to end.
   *
   * @param afterFailure whether the previous history process failed by itself
   * @return exit status
   */
  static int execute(boolean afterFailure) throws InterruptedException {
    // The parent decides when it ends: after the last replica.
    return ChildProcess.run((parent, _) -> new HistoryProgram(parent, afterFailure).run());
  }

  private int run() throws InterruptedException {
    try {
      EffectiveSettings settings = parent.settings();
      if (settings == null) {
        return ReplicaProtocol.EXIT_ORPHANED;
      }
      parent.drain().onGiven(work::release);
      parent.follow(_ -> false);
      DataDirectoryCheck.check(settings);
      parent
          .drain()
          .repeatUntilGiven("history-beat", HistorySupervisor.REPORT_INTERVAL, this::report);
      EngineLimits limits = EngineLimits.defaults().with(settings.limits());
      HistoryDatabase database = database(settings, limits);
      if (database == null) {
        return 0;
      }
      Path data = settings.get(SettingKey.DATA);
      try (HistoryProjection projection =
              new HistoryProjection(data, database, limits, CLOCK, this::progress, afterFailure)
                  .publishingTo(sinks(settings));
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

  private static List<Subscription> sinks(EffectiveSettings settings) {
    return StandingSubscriptions.of(
        settings.get(SettingKey.LIFECYCLE_EVENTS), settings.get(SettingKey.EVENT_SINKS));
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
      boolean ending = parent.drain().isGiven();
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
              outboxDispatcher.pending(),
              failure == null ? outboxDispatcher.failure() : failure);
      sinkWords = outboxDispatcher.sinks().stream().map(HistorySupervisor::line).toList();
    }
  }

  /** Reports that the process is alive, even during long work; but not when the work hangs. */
  private boolean report() {
    if (CLOCK.nanoTime() - workedNanos > LONGEST_WORK.toNanos()) {
      LOG.error(
          "expected work of at most {}, found some that has not ended; the history"
              + " is started again",
          LONGEST_WORK);
      endHanging();
    }
    parent.send(word);
    sinkWords.forEach(parent::send);
    return true;
  }

  private void endHanging() {
    try {
      boolean _ = parent.drain().await(LOG_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(ReplicaProtocol.EXIT_HANGS);
  }
}
