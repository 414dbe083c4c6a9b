package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.history.publish.ActiveSubscriptions;
import dev.pinion.bootstrap.history.publish.DeliveryProgress;
import dev.pinion.bootstrap.history.publish.OutboxEvent;
import dev.pinion.bootstrap.history.publish.Subscription;
import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.HistoryEvent;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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

  /** Looks for subscriptions, within a transaction, and gives new ones their positions. */
  void refreshSubscriptions(Connection open) throws SQLException {
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

  private void assignPositions(Connection open) throws SQLException {
    try (PreparedStatement insert =
        open.prepareStatement(
            "INSERT INTO delivery (subscription, position, delivered, skipped, lost)"
                + " SELECT ?, COALESCE(MAX(position), 0), 0, 0, 0 FROM outbox WHERE 1 = 1"
                + " ON CONFLICT (subscription) DO NOTHING")) {
      for (Subscription each : subscriptions.all()) {
        insert.setString(1, each.id());
        insert.executeUpdate();
      }
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
  static long position(Connection open, String subscription) throws SQLException {
    try (PreparedStatement query =
        open.prepareStatement("SELECT position FROM delivery WHERE subscription = ?")) {
      query.setString(1, subscription);
      ResultSet row = query.executeQuery();
      return row.next() ? row.getLong(1) : 0L;
    }
  }

  /**
   * The events after a position, in order.
   *
   * @param maxChars most characters of all events; one is read whatever its length
   */
  static List<OutboxEvent> after(Connection open, long position, int limit, long maxChars)
      throws SQLException {
    List<OutboxEvent> events = new ArrayList<>();
    try (PreparedStatement query =
        open.prepareStatement(
            "SELECT position, kind, namespace, name, event FROM outbox WHERE position > ?"
                + " ORDER BY position LIMIT ?")) {
      query.setLong(1, position);
      query.setInt(2, limit);
      query.setFetchSize(FETCHED_ROWS);
      ResultSet rows = query.executeQuery();
      long chars = 0;
      while ((events.isEmpty() || chars < maxChars) && rows.next()) {
        chars += rows.getString(5).length();
        events.add(
            new OutboxEvent(
                rows.getLong(1),
                HistoryEvent.EventKind.valueOf(rows.getString(2)),
                rows.getString(3),
                rows.getString(4),
                rows.getString(5)));
      }
    }
    return events;
  }

  /** Number of events from the first that a subscriber waits for to the last. */
  static long pending(Connection open) throws SQLException {
    try (PreparedStatement query =
        open.prepareStatement(
            "SELECT COALESCE((SELECT MAX(position) FROM outbox)"
                + " - (SELECT MIN(position) FROM outbox) + 1, 0)")) {
      ResultSet row = query.executeQuery();
      return row.next() ? row.getLong(1) : 0L;
    }
  }

  /** Stores the positions of subscribers. */
  static void advance(Connection open, List<DeliveryProgress> all) throws SQLException {
    try (PreparedStatement update =
        open.prepareStatement(
            "UPDATE delivery SET position = ?, delivered = delivered + ?, skipped = skipped + ?,"
                + " failure = ? WHERE subscription = ? AND position <= ?")) {
      for (DeliveryProgress each : all) {
        update.setLong(1, each.position());
        update.setLong(2, each.delivered());
        update.setLong(3, each.skipped());
        update.setString(4, storable(each.failure()));
        update.setString(5, each.subscription());
        update.setLong(6, each.position());
        update.addBatch();
      }
      update.executeBatch();
    }
  }

  private static @Nullable String storable(@Nullable String text) {
    return text == null ? null : DatabaseText.storable(text);
  }

  /**
   * Deletes events for which no subscriber waits, and the oldest beyond a number of events.
   *
   * @return number of events lost for a subscriber
   */
  long sweep(Connection open, int most) throws SQLException, IOException {
    folder.sweep();
    forgetEnded(open);
    long lost = dropOldest(open, most);
    try (Statement delete = open.createStatement()) {
      delete.executeUpdate(
          "DELETE FROM outbox WHERE NOT EXISTS"
              + " (SELECT 1 FROM delivery d WHERE d.position < outbox.position)");
    }
    return lost;
  }

  private void forgetEnded(Connection open) throws SQLException {
    Set<String> inForce = new HashSet<>();
    subscriptions.all().forEach(each -> inForce.add(each.id()));
    List<String> ended = new ArrayList<>();
    try (Statement query = open.createStatement();
        ResultSet rows = query.executeQuery("SELECT subscription FROM delivery")) {
      while (rows.next()) {
        if (!inForce.contains(rows.getString(1))) {
          ended.add(rows.getString(1));
        }
      }
    }
    try (PreparedStatement delete =
        open.prepareStatement("DELETE FROM delivery WHERE subscription = ?")) {
      for (String each : ended) {
        delete.setString(1, each);
        delete.executeUpdate();
      }
    }
  }

  private static long dropOldest(Connection open, int most) throws SQLException {
    long bound;
    try (PreparedStatement query =
        open.prepareStatement(
            "SELECT position FROM outbox ORDER BY position DESC LIMIT 1 OFFSET ?")) {
      query.setInt(1, most);
      ResultSet row = query.executeQuery();
      if (!row.next()) {
        return 0;
      }
      bound = row.getLong(1);
    }
    try (PreparedStatement count =
            open.prepareStatement(
                "UPDATE delivery SET lost = lost + (SELECT COUNT(*) FROM outbox o"
                    + " WHERE o.position > delivery.position AND o.position <= ?), position = ?"
                    + " WHERE position < ?");
        PreparedStatement delete =
            open.prepareStatement("DELETE FROM outbox WHERE position <= ?")) {
      for (int i = 1; i <= 3; i++) {
        count.setLong(i, bound);
      }
      count.executeUpdate();
      delete.setLong(1, bound);
      return delete.executeUpdate();
    }
  }
}
