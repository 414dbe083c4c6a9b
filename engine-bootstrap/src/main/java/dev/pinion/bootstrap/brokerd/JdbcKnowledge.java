package dev.pinion.bootstrap.brokerd;

import dev.pinion.bootstrap.history.HistoryDatabase;
import dev.pinion.broker.registry.Fact;
import dev.pinion.broker.registry.KnowledgeBase;
import dev.pinion.core.limits.HistoryLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.sql.SqlDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the knowledge in a database. One thread writes waiting facts in batches; while the
 * database is unavailable, facts wait, and beyond {@value #MAX_WAITING} the oldest are dropped for
 * new ones. Queries wait for the database for two seconds at most.
 */
public final class JdbcKnowledge implements KnowledgeBase {
  /** Most facts that wait for the database. */
  static final int MAX_WAITING = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(JdbcKnowledge.class);
  private static final int BATCH = 500;
  private static final Duration READ_PATIENCE = Duration.ofSeconds(2);
  private static final Duration LAST_WORK = Duration.ofMillis(500);

  /** Interval at which a thread without facts checks whether it must end. */
  private static final Duration LOOK = Duration.ofMillis(200);

  private static final Duration SWEEP = Duration.ofHours(1);

  /**
   * Classes of SQLSTATE caused by the written data: data exceptions, and constraints (SQL:2023,
   * 24.1).
   */
  private static final Pattern REFUSED = Pattern.compile("2[23].*");

  private final HistoryDatabase database;
  private final FactRows rows;
  private final HistoryLimits limits;
  private final Clock clock;
  private final LinkedBlockingDeque<Fact> waiting = new LinkedBlockingDeque<>(MAX_WAITING);
  private final AtomicLong givenUp = new AtomicLong();
  private final Thread thread;
  private volatile boolean closing;
  private boolean migrated;

  /** Whether the latest attempt to write failed, which is logged once. */
  private boolean away;

  private long nextSweepMillis;

  private JdbcKnowledge(
      HistoryDatabase database, String engine, HistoryLimits limits, Clock clock) {
    this.database = database;
    this.rows = new FactRows(engine);
    this.limits = limits;
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name("broker-knowledge").unstarted(this::work);
  }

  /**
   * Starts the thread. Waits for nothing.
   *
   * @param engine engine of these facts: those of others in the same database are not visible
   */
  public static JdbcKnowledge open(
      HistoryDatabase database, String engine, HistoryLimits limits, Clock clock) {
    JdbcKnowledge knowledge = new JdbcKnowledge(database, engine, limits, clock);
    knowledge.thread.start();
    return knowledge;
  }

  /** Number of facts dropped because the database was unavailable for too long. */
  long givenUp() {
    return givenUp.get();
  }

  @Override
  public void save(Fact fact) {
    while (!waiting.offerLast(fact)) {
      if (waiting.pollFirst() != null && givenUp.getAndIncrement() == 0) {
        LOG.warn("more than {} facts wait for {}: the oldest are given up", MAX_WAITING, database);
      }
    }
  }

  private void work() {
    List<Fact> batch = new ArrayList<>();
    try {
      while (!closing || !waiting.isEmpty() || !batch.isEmpty()) {
        if (batch.isEmpty()) {
          Fact first = waiting.pollFirst(LOOK.toMillis(), TimeUnit.MILLISECONDS);
          if (first != null) {
            batch.add(first);
            waiting.drainTo(batch, BATCH - 1);
          }
        }
        if (!batch.isEmpty()) {
          write(batch);
        }
      }
    } catch (InterruptedException e) {
      int left = batch.size() + waiting.size();
      if (left > 0) {
        LOG.warn("{} facts of the broker were not written to {}", left, database);
      }
    }
  }

  /**
   * Writes a batch; facts that could not be written stay in it, and are tried again after a pause.
   */
  private void write(List<Fact> batch) throws InterruptedException {
    try {
      database().transaction(open -> rows.write(open, batch) + sweep(open));
      batch.clear();
      away = false;
    } catch (SQLException e) {
      if (isRefused(e)) {
        writeApart(batch);
        return;
      }
      if (isSetAside(e)) {
        return; // the next attempt creates a new one
      }
      if (!away) {
        LOG.warn("the knowledge cannot be written to {}; facts wait: {}", database, message(e));
      }
      away = true;
      TimeUnit.MILLISECONDS.sleep(limits.retryMillis());
    }
  }

  /** Sets a damaged file aside. Its content is lost to the broker, which works without. */
  private synchronized boolean isSetAside(SQLException e) {
    try {
      Path aside = database.setAsideIfDamaged(e, Instant.ofEpochMilli(clock.epochMillis()));
      if (aside == null) {
        return false;
      }
      LOG.error(
          "the knowledge of the broker was damaged ({}) and is kept as {}; a new one is begun",
          message(e),
          aside);
      migrated = false;
      return true;
    } catch (SQLException stays) {
      LOG.warn("the knowledge of the broker is damaged: {}", message(stays));
      return false;
    }
  }

  /** Writes each fact of a batch separately: those that the database refuses are dropped. */
  private void writeApart(List<Fact> batch) {
    for (Iterator<Fact> each = batch.iterator(); each.hasNext(); ) {
      Fact fact = each.next();
      try {
        database().transaction(open -> rows.write(open, List.of(fact)));
      } catch (SQLException e) {
        if (!isRefused(e)) {
          return; // it is unavailable now: the rest waits
        }
        LOG.warn("{} refuses a fact of the broker, which is given up: {}", database, message(e));
      }
      each.remove();
    }
  }

  private static boolean isRefused(SQLException e) {
    return e.getSQLState() != null && REFUSED.matcher(e.getSQLState()).matches();
  }

  private int sweep(Handle open) {
    long now = clock.epochMillis();
    if (limits.retainDays() <= 0 || now < nextSweepMillis) {
      return 0;
    }
    int deleted = rows.sweep(open, now - Duration.ofDays(limits.retainDays()).toMillis());
    nextSweepMillis = now + SWEEP.toMillis();
    return deleted;
  }

  private synchronized SqlDatabase database() throws SQLException {
    if (!migrated) {
      database.migrate();
      migrated = true;
    }
    return database.writer();
  }

  @Override
  public List<Fact.PlanMade> plans(int most) {
    return query(open -> rows.plans(open, most));
  }

  @Override
  public List<Fact.DecisionMade> decisions(int most) {
    return query(open -> rows.decisions(open, most));
  }

  @Override
  public List<Fact.Observation> observations(String service, int most) {
    return query(open -> rows.observations(open, service, most));
  }

  /** A database that hangs costs a thread, and the caller its wait. */
  private <T> List<T> query(SqlDatabase.Work<List<T>> factQuery) {
    FutureTask<List<T>> task = new FutureTask<>(() -> database().read(factQuery));
    Thread.ofPlatform().daemon().name("broker-knowledge-reader").start(task);
    @Nullable Throwable failure;
    try {
      return task.get(READ_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      failure = e.getCause();
    } catch (TimeoutException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = e;
    }
    LOG.warn("the earlier knowledge in {} cannot be read: {}", database, message(failure));
    return List.of();
  }

  private static String message(@Nullable Throwable failure) {
    return String.valueOf(failure).lines().findFirst().orElse("");
  }

  /** Writes waiting facts, for a pause between attempts and half a second at most. */
  @Override
  public void close() {
    closing = true;
    try {
      if (!thread.join(Duration.ofMillis(limits.retryMillis()).plus(LAST_WORK))) {
        thread.interrupt();
        thread.join();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
