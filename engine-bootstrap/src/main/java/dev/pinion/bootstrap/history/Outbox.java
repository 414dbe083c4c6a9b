package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.history.publish.ActiveSubscriptions;
import dev.pinion.bootstrap.history.publish.DeliveryProgress;
import dev.pinion.bootstrap.history.publish.OutboxEvent;
import dev.pinion.bootstrap.history.publish.Subscription;
import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.bootstrap.supervise.HistorySupervisor.SinkStatus;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.instance.HistoryEvent;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events that wait for subscribers, and the position of each subscriber. A subscription has its
 * position in the outbox before any event after its acknowledgement is written. Used by one thread.
 */
final class Outbox {
  /** Query for the status of a subscription: delivered, skipped, lost, waiting, failure. */
  static final String STATUS =
      "SELECT d.delivered, d.skipped, d.lost,"
          + " (SELECT COUNT(*) FROM outbox o WHERE o.position > d.position), d.failure"
          + " FROM delivery d WHERE d.subscription = ?";

  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  /** Rows that a driver fetches at once: it buffers all of them, whatever their length. */
  private static final int FETCHED_ROWS = 8;

  private final SubscriptionStore folder;
  private final ActiveSubscriptions subscriptions;

  /** Whether some subscription may have no position yet. */
  private boolean unplaced = true;

  Outbox(SubscriptionStore folder, Clock clock) {
    this.folder = folder;
    this.subscriptions = new ActiveSubscriptions(folder, clock);
  }

  /** Adds subscriptions of the configuration; before anything else. */
  void add(List<Subscription> standing) {
    subscriptions.add(standing);
  }

  /** Looks for subscriptions, within a transaction, and gives new ones their positions. */
  void refreshSubscriptions(Handle open) throws SQLException {
    try {
      unplaced |= subscriptions.refresh();
    } catch (IOException e) {
      throw new SQLException("the subscriptions cannot be read: " + e.getMessage(), e);
    }
    if (unplaced) {
      assignPositions(open);
    }
  }

  /** Called when the transaction of the last {@link #refreshSubscriptions} is committed. */
  void committed() {
    unplaced = false;
  }

  private void assignPositions(Handle open) {
    for (Subscription each : subscriptions.all()) {
      open.execute(
          "INSERT INTO delivery (subscription, position, delivered, skipped, lost)"
              + " SELECT ?, COALESCE(MAX(position), 0), 0, 0, 0 FROM outbox WHERE 1 = 1"
              + " ON CONFLICT (subscription) DO NOTHING",
          each.id());
    }
  }

  /** Ends subscriptions that their sinks have ended, unless they were changed since. */
  void end(List<Subscription> gone) throws IOException {
    for (Subscription each : gone) {
      if (folder.end(each)) {
        LOG.info(
            "subscription {} has ended: its sink at {} answered 410",
            each.id(),
            each.sink().getHost());
      }
    }
  }

  List<Subscription> subscriptions() {
    return subscriptions.all();
  }

  boolean matches(HistoryEvent event) {
    return subscriptions.matches(event);
  }

  /** Last event that a subscriber has received or will never receive; 0 for none. */
  static long position(Handle open, String subscription) {
    return open.select("SELECT position FROM delivery WHERE subscription = ?", subscription)
        .mapTo(Long.class)
        .findOne()
        .orElse(0L);
  }

  /**
   * The events after a position, in order.
   *
   * @param maxChars most characters of all events; one is read whatever its length
   */
  static List<OutboxEvent> after(Handle open, long position, int limit, long maxChars) {
    List<OutboxEvent> events = new ArrayList<>();
    try (ResultIterator<OutboxEvent> rows =
        open.select(
                "SELECT position, kind, namespace, name, event FROM outbox WHERE position > ?"
                    + " ORDER BY position LIMIT ?",
                position,
                limit)
            .setFetchSize(FETCHED_ROWS)
            .map((row, _) -> event(row))
            .iterator()) {
      for (long chars = 0; (events.isEmpty() || chars < maxChars) && rows.hasNext(); ) {
        OutboxEvent event = rows.next();
        chars += event.text().length();
        events.add(event);
      }
    }
    return events;
  }

  private static OutboxEvent event(ResultSet row) throws SQLException {
    return new OutboxEvent(
        row.getLong(1),
        HistoryEvent.EventKind.valueOf(row.getString(2)),
        row.getString(3),
        row.getString(4),
        row.getString(5));
  }

  /** Number of events from the first that a subscriber waits for to the last. */
  static long pending(Handle open) {
    return open.createQuery(
            "SELECT COALESCE((SELECT MAX(position) FROM outbox)"
                + " - (SELECT MIN(position) FROM outbox) + 1, 0)")
        .mapTo(Long.class)
        .one();
  }

  /** How far the sinks of the configuration are. */
  List<SinkStatus> sinks(Handle open) {
    List<SinkStatus> sinks = new ArrayList<>();
    for (Subscription each : subscriptions.all()) {
      if (each.isStanding()) {
        open.select(STATUS, each.id())
            .map(
                (row, _) ->
                    new SinkStatus(each.id(), row.getLong(1), row.getLong(3), row.getLong(4)))
            .findOne()
            .ifPresent(sinks::add);
      }
    }
    return sinks;
  }

  /** Stores the positions of subscribers; returns how many there were. */
  static int advance(Handle open, List<DeliveryProgress> all) {
    for (DeliveryProgress each : all) {
      String failure = each.failure();
      open.execute(
          "UPDATE delivery SET position = ?, delivered = delivered + ?, skipped = skipped + ?,"
              + " failure = ? WHERE subscription = ? AND position <= ?",
          each.position(),
          each.delivered(),
          each.skipped(),
          failure == null ? null : DatabaseText.storable(failure),
          each.subscription(),
          each.position());
    }
    return all.size();
  }

  /** Deletes subscriptions that have ended. */
  void sweepSubscriptions() throws IOException {
    folder.sweep();
  }

  /**
   * Deletes events for which no subscriber waits, and the oldest beyond a number of events.
   *
   * @return number of events lost for a subscriber
   */
  long sweep(Handle open, int most) {
    forgetEnded(open);
    long lost = dropOldest(open, most);
    open.execute(
        "DELETE FROM outbox WHERE NOT EXISTS"
            + " (SELECT 1 FROM delivery d WHERE d.position < outbox.position)");
    return lost;
  }

  private void forgetEnded(Handle open) {
    Set<String> inForce = new HashSet<>();
    subscriptions.all().forEach(each -> inForce.add(each.id()));
    open.select("SELECT subscription FROM delivery").mapTo(String.class).list().stream()
        .filter(each -> !inForce.contains(each))
        .forEach(each -> open.execute("DELETE FROM delivery WHERE subscription = ?", each));
  }

  private static long dropOldest(Handle open, int most) {
    return open.select("SELECT position FROM outbox ORDER BY position DESC LIMIT 1 OFFSET ?", most)
        .mapTo(Long.class)
        .findOne()
        .map(last -> dropTo(open, last))
        .orElse(0);
  }

  private static int dropTo(Handle open, long last) {
    open.execute(
        "UPDATE delivery SET lost = lost + (SELECT COUNT(*) FROM outbox o"
            + " WHERE o.position > delivery.position AND o.position <= ?), position = ?"
            + " WHERE position < ?",
        last,
        last,
        last);
    return open.execute("DELETE FROM outbox WHERE position <= ?", last);
  }
}
