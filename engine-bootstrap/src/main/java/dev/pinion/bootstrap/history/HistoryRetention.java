package dev.pinion.bootstrap.history;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.HistoryLimits;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

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

  int run(Handle open, long nowMillis) {
    List<Long> ids = List.of();
    if (limits.retainDays() > 0) {
      long before = nowMillis - TimeUnit.DAYS.toMillis(limits.retainDays());
      ids = ids(open, " AND ended_at < ?", before, MAX_AT_ONCE);
    }
    if (ids.isEmpty() && limits.retainInstances() > 0) {
      ids = tooMany(open, nowMillis - keepMillis);
    }
    delete(open, ids);
    return ids.size();
  }

  /** Deletes the instance that ended first, whenever that was; returns whether there was one. */
  static boolean deleteOldest(Handle open) {
    List<Long> ids = ids(open, "", 1);
    delete(open, ids);
    return !ids.isEmpty();
  }

  /** The oldest instances beyond the number, except those that ended too recently. */
  private List<Long> tooMany(Handle open, long beforeMillis) {
    String these = " AND ended_at < ? AND (ended_at < ? OR ended_at = ? AND id <= ?)";
    return open.select(
            "SELECT ended_at, id FROM instance WHERE ended_at IS NOT NULL"
                + " ORDER BY ended_at DESC, id DESC LIMIT 1 OFFSET ?",
            limits.retainInstances())
        .map((row, _) -> new long[] {row.getLong(1), row.getLong(2)})
        .findOne()
        .map(last -> ids(open, these, beforeMillis, last[0], last[0], last[1], MAX_AT_ONCE))
        .orElse(List.of());
  }

  /**
   * The ended instances that meet a condition, oldest end first.
   *
   * @param bounds values of the condition, and the most instances
   */
  private static List<Long> ids(Handle open, String condition, Object... bounds) {
    return open.select(
            "SELECT id FROM instance WHERE ended_at IS NOT NULL"
                + condition
                + " ORDER BY ended_at, id LIMIT ?",
            bounds)
        .mapTo(Long.class)
        .list();
  }

  private static void delete(Handle open, List<Long> ids) {
    for (String table : List.of("event", "label", "result", "failure", "instance")) {
      PreparedBatch delete = open.prepareBatch("DELETE FROM " + table + " WHERE id = ?");
      ids.forEach(delete::add);
      delete.execute();
    }
  }
}
