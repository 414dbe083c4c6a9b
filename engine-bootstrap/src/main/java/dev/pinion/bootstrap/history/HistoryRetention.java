package dev.pinion.bootstrap.history;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.HistoryLimits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Deletes ended instances that are too old or too many, some at a time. Instances whose results
 * must still be available never count as too many.
 */
final class HistoryRetention {
  /** Most instances deleted in one transaction: other writers wait for it. */
  static final int MAX_AT_ONCE = 1_000;

  private final HistoryLimits limits;
  private final long keepMillis;

  HistoryRetention(EngineLimits limits) {
    this.limits = limits.history();
    this.keepMillis = TimeUnit.SECONDS.toMillis(limits.kernel().keepEndedSeconds());
  }

  int run(Connection connection, long nowMillis) throws SQLException {
    List<Long> ids = List.of();
    if (limits.retainDays() > 0) {
      ids = endedBefore(connection, nowMillis - TimeUnit.DAYS.toMillis(limits.retainDays()));
    }
    if (ids.isEmpty() && limits.retainInstances() > 0) {
      ids = tooMany(connection, nowMillis - keepMillis);
    }
    delete(connection, ids);
    return ids.size();
  }

  /** Deletes the instance that ended first, whenever that was; returns whether there was one. */
  static boolean deleteOldest(Connection connection) throws SQLException {
    List<Long> ids = ids(connection, "", 1);
    delete(connection, ids);
    return !ids.isEmpty();
  }

  private static List<Long> endedBefore(Connection connection, long millis) throws SQLException {
    return ids(connection, " AND ended_at < ?", MAX_AT_ONCE, millis);
  }

  /** The oldest instances beyond the number, except those that ended too recently. */
  private List<Long> tooMany(Connection connection, long beforeMillis) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT ended_at, id FROM instance WHERE ended_at IS NOT NULL"
                + " ORDER BY ended_at DESC, id DESC LIMIT 1 OFFSET ?")) {
      query.setInt(1, limits.retainInstances());
      ResultSet beyond = query.executeQuery();
      if (!beyond.next()) {
        return List.of();
      }
      long millis = beyond.getLong(1);
      String these = " AND ended_at < ? AND (ended_at < ? OR ended_at = ? AND id <= ?)";
      long id = beyond.getLong(2);
      return ids(connection, these, MAX_AT_ONCE, beforeMillis, millis, millis, id);
    }
  }

  /** The ended instances that meet a condition, oldest end first. */
  private static List<Long> ids(Connection connection, String condition, int most, long... bounds)
      throws SQLException {
    List<Long> ids = new ArrayList<>();
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT id FROM instance WHERE ended_at IS NOT NULL"
                + condition
                + " ORDER BY ended_at, id LIMIT ?")) {
      int parameter = 1;
      for (long bound : bounds) {
        query.setLong(parameter++, bound);
      }
      query.setInt(parameter, most);
      ResultSet rows = query.executeQuery();
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
    return ids;
  }

  private static void delete(Connection connection, List<Long> ids) throws SQLException {
    for (String table : List.of("event", "label", "result", "failure", "instance")) {
      try (PreparedStatement delete =
          connection.prepareStatement("DELETE FROM " + table + " WHERE id = ?")) {
        for (long id : ids) {
          delete.setLong(1, id);
          delete.addBatch();
        }
        delete.executeBatch();
      }
    }
  }
}
