package dev.pinion.bootstrap.brokerd;

import dev.pinion.broker.registry.Fact;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Facts of one engine as rows, the same in every database. */
final class FactRows {
  private static final List<String> DATED =
      List.of("broker_plan", "broker_decision", "broker_observation");

  private final String engine;

  FactRows(String engine) {
    this.engine = engine;
  }

  /** Writes facts, in their order, and returns the number of changed rows. The caller commits. */
  int write(Handle open, List<Fact> facts) {
    int changed = 0;
    for (Fact fact : facts) {
      long at = fact.at().toEpochMilli();
      changed +=
          switch (fact) {
            case Fact.PlanMade plan -> write(open, at, plan);
            case Fact.DecisionMade decision -> write(open, at, decision);
            case Fact.Observation observation -> write(open, at, observation);
            case Fact.DocumentSaved document -> write(open, at, document);
          };
    }
    return changed;
  }

  private int write(Handle open, long at, Fact.PlanMade plan) {
    return open.execute(
        "INSERT INTO broker_plan (engine, at, version, state, cause, document)"
            + " VALUES (?, ?, ?, ?, ?, ?)",
        engine,
        at,
        plan.version(),
        plan.state(),
        plan.cause(),
        plan.document());
  }

  private int write(Handle open, long at, Fact.DecisionMade decision) {
    return open.execute(
        "INSERT INTO broker_decision (engine, at, change, outcome, plan, document)"
            + " VALUES (?, ?, ?, ?, ?, ?)",
        engine,
        at,
        decision.change(),
        decision.outcome(),
        decision.plan(),
        decision.document());
  }

  private int write(Handle open, long at, Fact.Observation seen) {
    return open.execute(
        "INSERT INTO broker_observation (engine, at, service, class, calls, failures, mean_seconds)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)",
        engine,
        at,
        seen.service(),
        seen.serviceClass(),
        seen.calls(),
        seen.failures(),
        Double.isNaN(seen.meanSeconds()) ? null : seen.meanSeconds());
  }

  /** A copy that arrives after a newer one changes nothing. */
  private int write(Handle open, long at, Fact.DocumentSaved saved) {
    return open.execute(
        "INSERT INTO broker_document (engine, at, name, version, document) VALUES (?, ?, ?, ?, ?)"
            + " ON CONFLICT (engine, name) DO UPDATE SET at = excluded.at,"
            + " version = excluded.version, document = excluded.document"
            + " WHERE broker_document.version < excluded.version",
        engine,
        at,
        saved.name(),
        saved.version(),
        saved.document());
  }

  /** Deletes facts of this engine before a time, and returns their number. The caller commits. */
  int sweep(Handle open, long beforeMillis) {
    int deleted = 0;
    for (String table : DATED) {
      deleted +=
          open.execute(
              "DELETE FROM " + table + " WHERE engine = ? AND at < ?", engine, beforeMillis);
    }
    return deleted;
  }

  List<Fact.PlanMade> plans(Handle open, int most) {
    return open.select(
            "SELECT at, version, state, cause, document FROM broker_plan WHERE engine = ?"
                + " ORDER BY id DESC LIMIT ?",
            engine,
            most)
        .map(
            (row, _) ->
                new Fact.PlanMade(
                    Instant.ofEpochMilli(row.getLong(1)),
                    row.getLong(2),
                    row.getString(3),
                    row.getString(4),
                    row.getString(5)))
        .list();
  }

  List<Fact.DecisionMade> decisions(Handle open, int most) {
    return open.select(
            "SELECT at, change, outcome, plan, document FROM broker_decision WHERE engine = ?"
                + " ORDER BY id DESC LIMIT ?",
            engine,
            most)
        .map(
            (row, _) ->
                new Fact.DecisionMade(
                    Instant.ofEpochMilli(row.getLong(1)),
                    row.getString(2),
                    row.getString(3),
                    row.getLong(4),
                    row.getString(5)))
        .list();
  }

  List<Fact.Observation> observations(Handle open, String service, int most) {
    return open.select(
            "SELECT at, class, calls, failures, mean_seconds FROM broker_observation"
                + " WHERE engine = ? AND service = ? ORDER BY id DESC LIMIT ?",
            engine,
            service,
            most)
        .map((row, _) -> observation(row, service))
        .list();
  }

  private static Fact.Observation observation(ResultSet row, String service) throws SQLException {
    double mean = row.getDouble(5);
    boolean none = row.wasNull(); // of the last read column
    return new Fact.Observation(
        Instant.ofEpochMilli(row.getLong(1)),
        service,
        row.getString(2),
        row.getLong(3),
        row.getLong(4),
        none ? Double.NaN : mean);
  }
}
