package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.history.publish.OutboxEvent;
import dev.pinion.bootstrap.history.publish.PublisherPool;
import dev.pinion.bootstrap.history.publish.SubscriberDelivery;
import dev.pinion.bootstrap.supervise.HistorySupervisor.SinkStatus;
import dev.pinion.core.limits.PublishLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.sql.SqlDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves events from the outbox to publishers, and stores the progress of their subscribers. Used by
 * one thread, that of the projection; it never waits for a subscriber.
 *
 * <pre>
 *   journals ─▶ projection ─▶ outbox ─▶ dispatcher ─▶ publishers ─▶ subscribers
 *                               ▲───── progress ─────────┘
 * </pre>
 */
public final class OutboxDispatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxDispatcher.class);
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final HistoryDatabase database;
  private final Outbox outbox;
  private final PublisherPool publisherPool;
  private final PublishLimits limits;
  private final Clock clock;
  private final Damage damage;
  private @Nullable Handle handle;
  private @Nullable String lastFailure;
  private long nextSweepNanos;
  private long pending = -1;
  private List<SinkStatus> sinks = List.of();

  /** Sets a damaged database aside. */
  @FunctionalInterface
  interface Damage {
    /** Description of the action after a failure, or null if it indicates no damage. */
    @Nullable String handle(Exception failure);
  }

  OutboxDispatcher(
      HistoryDatabase database,
      Outbox outbox,
      PublisherPool publisherPool,
      PublishLimits limits,
      Clock clock,
      Damage damage) {
    this.damage = damage;
    this.database = database;
    this.outbox = outbox;
    this.publisherPool = publisherPool;
    this.limits = limits;
    this.clock = clock;
    this.nextSweepNanos = clock.nanoTime();
  }

  /**
   * Sends a batch for each subscriber.
   *
   * @return whether there is more to do immediately
   */
  public boolean dispatchBatch() {
    try {
      outbox.end(publisherPool.endedSubscriptions());
      Handle open = open();
      boolean more = SqlDatabase.run(open, this::dispatch);
      sweep(open);
      lastFailure = null;
      return more;
    } catch (SQLException | IOException e) {
      disconnect();
      String failed = damage.handle(e);
      if (failed == null) {
        failed = String.valueOf(e.getMessage());
        if (lastFailure == null) {
          LOG.warn("publishing waits and tries again: {}", failed);
        }
      }
      lastFailure = failed;
      return false;
    }
  }

  /** Failure of the last pass; null if it succeeded. */
  public @Nullable String failure() {
    return lastFailure;
  }

  /** Events that wait for subscribers, a second ago at most; -1 while unknown. */
  public long pending() {
    return pending;
  }

  /** How far the sinks of the configuration are, a second ago at most. */
  public List<SinkStatus> sinks() {
    return sinks;
  }

  private Handle open() throws SQLException {
    Handle open = handle;
    if (open == null) {
      open = database.writer().open();
      handle = open;
    }
    return open;
  }

  private boolean dispatch(Handle open) throws SQLException {
    outbox.refreshSubscriptions(open);
    Outbox.advance(open, publisherPool.progress());
    open.commit();
    outbox.committed();
    publisherPool.advanced();
    publisherPool.setSubscriptions(outbox.subscriptions(), id -> Outbox.position(open, id));
    boolean more = false;
    for (SubscriberDelivery each : publisherPool.withRoom()) {
      long room = publisherPool.roomForChars();
      if (room == 0) {
        break; // they wake this thread when there is capacity
      }
      long after = each.readUpTo();
      List<OutboxEvent> events = Outbox.after(open, after, each.room(), room);
      more |= !events.isEmpty();
      each.offer(after, events);
    }
    open.commit();
    return more;
  }

  private void sweep(Handle open) throws SQLException, IOException {
    long now = clock.nanoTime();
    if (now - nextSweepNanos >= 0) {
      nextSweepNanos = now + SWEEP_NANOS;
      outbox.sweepSubscriptions();
      long lost =
          SqlDatabase.commit(
              open,
              _ -> {
                long swept = outbox.sweep(open, limits.maxOutbox());
                pending = Outbox.pending(open);
                sinks = outbox.sinks(open);
                return swept;
              });
      if (lost > 0) {
        LOG.warn(
            "{} events were lost for subscribers that are too far behind (publish.maxOutbox {})",
            lost,
            limits.maxOutbox());
      }
    }
  }

  private void disconnect() {
    SqlDatabase.close(handle);
    handle = null;
  }

  /** Stops sending, and stores the progress of subscribers. */
  @Override
  public void close() {
    publisherPool.close();
    try {
      SqlDatabase.commit(open(), each -> Outbox.advance(each, publisherPool.progress()));
    } catch (SQLException e) {
      LOG.debug("events may be sent again", e);
    }
    disconnect();
  }
}
