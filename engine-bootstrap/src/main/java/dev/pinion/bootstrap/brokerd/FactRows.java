package dev.pinion.bootstrap.brokerd;

import dev.pinion.broker.registry.Fact;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Facts of one engine as rows, the same in every database. */
final class FactRows {
  private static final List<String> DATED =
      List.of("broker_plan", "broker_decision", "broker_observation");

  private final String engine;

  FactRows(String engine) {
    this.engine = engine;
  }

  /** Writes facts, in their order. The caller commits. */
  void write(Connection connection, List<Fact> facts) throws SQLException {
    for (Fact fact : facts) {
      switch (fact) {
        case Fact.PlanMade plan -> write(connection, plan);
        case Fact.DecisionMade decision -> write(connection, decision);
        case Fact.Observation observation -> write(connection, observation);
        case Fact.DocumentSaved document -> write(connection, document);
      }
    }
  }

  private PreparedStatement dated(Connection connection, String sql, Instant at)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setString(1, engine);
    statement.setLong(2, at.toEpochMilli());
    return statement;
  }

  private void write(Connection connection, Fact.PlanMade plan) throws SQLException {
    String sql =
        "INSERT INTO broker_plan (engine, at, version, state, cause, document)"
            + " VALUES (?, ?, ?, ?, ?, ?)";
    try (PreparedStatement insert = dated(connection, sql, plan.at())) {
      insert.setLong(3, plan.version());
      insert.setString(4, plan.state());
      insert.setString(5, plan.cause());
      insert.setString(6, plan.document());
      insert.executeUpdate();
    }
  }

  private void write(Connection connection, Fact.DecisionMade decision) throws SQLException {
    String sql =
        "INSERT INTO broker_decision (engine, at, change, outcome, plan, document)"
            + " VALUES (?, ?, ?, ?, ?, ?)";
    try (PreparedStatement insert = dated(connection, sql, decision.at())) {
      insert.setString(3, decision.change());
      insert.setString(4, decision.outcome());
      insert.setLong(5, decision.plan());
      insert.setString(6, decision.document());
      insert.executeUpdate();
    }
  }

  private void write(Connection connection, Fact.Observation seen) throws SQLException {
    String sql =
        "INSERT INTO broker_observation (engine, at, service, class, calls, failures, mean_seconds)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)";
    try (PreparedStatement insert = dated(connection, sql, seen.at())) {
      insert.setString(3, seen.service());
      insert.setString(4, seen.serviceClass());
      insert.setLong(5, seen.calls());
      insert.setLong(6, seen.failures());
      if (Double.isNaN(seen.meanSeconds())) {
        insert.setNull(7, Types.DOUBLE);
      } else {
        insert.setDouble(7, seen.meanSeconds());
      }
      insert.executeUpdate();
    }
  }

  /** A copy that arrives after a newer one changes nothing. */
  private void write(Connection connection, Fact.DocumentSaved saved) throws SQLException {
    String sql =
        "INSERT INTO broker_document (engine, at, name, version, document) VALUES (?, ?, ?, ?, ?)"
            + " ON CONFLICT (engine, name) DO UPDATE SET at = excluded.at,"
            + " version = excluded.version, document = excluded.document"
            + " WHERE broker_document.version < excluded.version";
    try (PreparedStatement upsert = dated(connection, sql, saved.at())) {
      upsert.setString(3, saved.name());
      upsert.setLong(4, saved.version());
      upsert.setString(5, saved.document());
      upsert.executeUpdate();
    }
  }

  /** Deletes facts of this engine before a time. The caller commits. */
  void sweep(Connection connection, Instant before) throws SQLException {
    for (String table : DATED) {
      String sql = "DELETE FROM " + table + " WHERE engine = ? AND at < ?";
      try (PreparedStatement delete = dated(connection, sql, before)) {
        delete.executeUpdate();
      }
    }
  }

  /** Creates a value from a row. */
  private interface Row<T> {
    T read(ResultSet rows) throws SQLException;
  }

  private static <T> List<T> all(PreparedStatement query, Row<T> row) throws SQLException {
    List<T> all = new ArrayList<>();
    ResultSet rows = query.executeQuery();
    while (rows.next()) {
      all.add(row.read(rows));
    }
    return all;
  }

  List<Fact.PlanMade> plans(Connection connection, int most) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT at, version, state, cause, document FROM broker_plan WHERE engine = ?"
                + " ORDER BY id DESC LIMIT ?")) {
      query.setString(1, engine);
      query.setInt(2, most);
      return all(
          query,
          row ->
              new Fact.PlanMade(
                  Instant.ofEpochMilli(row.getLong(1)),
                  row.getLong(2),
                  row.getString(3),
                  row.getString(4),
                  row.getString(5)));
    }
  }

  List<Fact.DecisionMade> decisions(Connection connection, int most) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT at, change, outcome, plan, document FROM broker_decision WHERE engine = ?"
                + " ORDER BY id DESC LIMIT ?")) {
      query.setString(1, engine);
      query.setInt(2, most);
      return all(
          query,
          row ->
              new Fact.DecisionMade(
                  Instant.ofEpochMilli(row.getLong(1)),
                  row.getString(2),
                  row.getString(3),
                  row.getLong(4),
                  row.getString(5)));
    }
  }

  List<Fact.Observation> observations(Connection connection, String service, int most)
      throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT at, class, calls, failures, mean_seconds FROM broker_observation"
                + " WHERE engine = ? AND service = ? ORDER BY id DESC LIMIT ?")) {
      query.setString(1, engine);
      query.setString(2, service);
      query.setInt(3, most);
      return all(query, row -> observation(row, service));
    }
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
