package dev.pinion.bootstrap.history;

import dev.pinion.core.model.EngineLimits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Deletes ended instances that are too old or too many, in portions. */
final class HistorySweep {
  /** Most instances deleted in one transaction: other writers wait for it. */
  static final int MAX_AT_ONCE = 1_000;

  private final EngineLimits.History limits;

  HistorySweep(EngineLimits.History limits) {
    this.limits = limits;
  }

  int run(Connection connection, long nowMillis) throws SQLException {
    List<Long> ids = new ArrayList<>();
    if (limits.retainDays() > 0) {
      find(
          connection,
          "SELECT id FROM instance WHERE ended_at IS NOT NULL AND ended_at < ?"
              + " ORDER BY ended_at, id LIMIT "
              + MAX_AT_ONCE,
          nowMillis - TimeUnit.DAYS.toMillis(limits.retainDays()),
          ids);
    }
    if (ids.isEmpty() && limits.retainInstances() > 0) {
      find(
          connection,
          "SELECT id FROM (SELECT id, ended_at FROM instance WHERE ended_at IS NOT NULL"
              + " ORDER BY ended_at DESC, id DESC LIMIT "
              + MAX_AT_ONCE
              + " OFFSET ?) AS beyond",
          limits.retainInstances(),
          ids);
    }
    for (String table : List.of("event", "label", "result", "failure", "instance")) {
      delete(connection, table, ids);
    }
    return ids.size();
  }

  private static void find(Connection connection, String sql, long bound, List<Long> ids)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setLong(1, bound);
      ResultSet rows = query.executeQuery();
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
  }

  private static void delete(Connection connection, String table, List<Long> ids)
      throws SQLException {
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
