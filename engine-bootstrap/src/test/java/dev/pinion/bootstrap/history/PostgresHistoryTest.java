package dev.pinion.bootstrap.history;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.spi.History;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history in a real PostgreSQL server has the same content as in SQLite. */
class PostgresHistoryTest {
  @TempDir Path data;

  private final EngineLimits limits =
      EngineLimits.defaults()
          .with(Map.of("history.batchRecords", 5, "request.defaultWaitMillis", 2_000));

  @Test
  void shouldHoldWhatSqliteHolds() throws Exception {
    Optional<String> missing = Postgres.missing();
    missing.ifPresent(System.err::println);
    assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    InstanceId tagged;
    try (WorkedEngine engine = new WorkedEngine(data, limits, History.NONE)) {
      tagged =
          engine.start(
              "steps",
              "{\"input\":{\"n\":1},\"businessKey\":\"order-7\",\"labels\":{\"city\":\"Zürich\"}}");
      engine.start("steps", "{\"input\":{\"n\":2,\"text\":\"\\u0000\\ud800\"}}");
      engine.startSleeper();
      engine.start("faults", "{\"input\":{\"detail\":\"" + "ü".repeat(300_000) + "\"}}");
    }
    DatabaseTarget file = Objects.requireNonNull(DatabaseTarget.of("sqlite", data, "", ""));
    HistoryDatabase embedded = new HistoryDatabase(file, limits.history());
    project(embedded);

    try (Postgres server = Postgres.start()) {
      HistoryDatabase database = new HistoryDatabase(server.target(), limits.history());
      await().atMost(Duration.ofSeconds(60)).until(() -> answers(server, database));
      project(database);

      List<String> expected = Tables.all(embedded);
      assertEquals(expected, Tables.all(database));
      assertTrue(expected.size() > 20, "rows: " + expected.size());
      try (HistoryReader one = new HistoryReader(embedded, limits);
          HistoryReader other = new HistoryReader(database, limits)) {
        History.HistoryPage events = Objects.requireNonNull(other.events(tagged, -1, 100));
        assertEquals(
            Objects.requireNonNull(one.events(tagged, -1, 100)).items().toString(),
            events.items().toString());
        for (History.Search search : searches(tagged)) {
          assertEquals(
              one.instances(search).items().toString(), other.instances(search).items().toString());
        }
        assertEquals(1, other.instances(searches(tagged).getFirst()).items().size());
      }
    }
  }

  private static boolean answers(Postgres server, HistoryDatabase database) {
    assertTrue(server.isAlive(), "PostgreSQL ended");
    try {
      database.writer().open().close();
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static List<History.Search> searches(InstanceId id) {
    long started = id.startedAtEpochMillis();
    return List.of(
        new History.Search(
            null,
            null,
            null,
            "order-7",
            new History.LabelFilter("city", "Zürich"),
            History.TimeRange.ALWAYS,
            new History.PageRequest(null, 9)),
        new History.Search(
            "COMPLETED",
            "test",
            "steps",
            null,
            null,
            History.TimeRange.ALWAYS,
            new History.PageRequest(null, 1)),
        new History.Search(
            null,
            null,
            null,
            null,
            null,
            new History.TimeRange(started, started + 1),
            new History.PageRequest(null, 9)),
        new History.Search(
            "RUNNING",
            null,
            null,
            null,
            null,
            History.TimeRange.ALWAYS,
            new History.PageRequest(id, 9)));
  }

  private void project(HistoryDatabase database) throws Exception {
    try (HistoryProjection projection =
        new HistoryProjection(data, database, limits, Clock.system(), () -> {}, false)) {
      int idle = 0;
      for (int i = 0; i < 1_000 && idle < 4; i++) {
        idle = projection.poll() == 0 ? 0 : idle + 1;
        assertEquals(null, projection.failure());
      }
    }
  }
}
