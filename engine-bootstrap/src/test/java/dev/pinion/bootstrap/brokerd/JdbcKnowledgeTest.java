package dev.pinion.bootstrap.brokerd;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.history.DatabaseTarget;
import dev.pinion.bootstrap.history.HistoryDatabase;
import dev.pinion.broker.registry.Fact;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.HistoryLimits;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Knowledge in SQLite. */
class JdbcKnowledgeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

  @TempDir private Path data;
  private Instant now = NOON;
  private final HistoryLimits limits =
      EngineLimits.defaults().with(Map.of("history.retryMillis", 1)).history();
  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return 0;
        }

        @Override
        public String scale() {
          return "test";
        }

        @Override
        public long epochMillis() {
          return now.toEpochMilli();
        }
      };

  private HistoryDatabase database() {
    DatabaseTarget target =
        Objects.requireNonNull(DatabaseTarget.ofKnowledge(DatabaseTarget.SQLITE, data, "", ""));
    return new HistoryDatabase(target, limits, HistoryDatabase.SchemaOwner.BROKER);
  }

  private JdbcKnowledge open(String engine) {
    return JdbcKnowledge.open(database(), engine, limits, clock);
  }

  private static Fact.PlanMade plan(Instant at, long version) {
    return new Fact.PlanMade(at, version, "optimal", "start", "{\"version\":" + version + "}");
  }

  @Test
  void shouldRememberOverRestartsEachEngineItsOwn() {
    Fact.DecisionMade decision =
        new Fact.DecisionMade(NOON, "PUT slas/é", "created", 3, "{\"plan\":3}");
    Fact.Observation seen = new Fact.Observation(NOON, "sky", "gold", 10, 1, 0.25);
    Fact.Observation none = new Fact.Observation(NOON, "sky", "std", 2, 2, Double.NaN);
    try (JdbcKnowledge knowledge = open("one")) {
      assertEquals(List.of(), knowledge.plans(10), "there is no database yet");
      List.of(plan(NOON, 1), plan(NOON, 2), decision, seen, none).forEach(knowledge::save);
      knowledge.save(new Fact.Observation(NOON, "sea", "gold", 1, 0, 1));
      await().atMost(PATIENCE).until(() -> knowledge.observations("sea", 1).size() == 1);
    }
    try (JdbcKnowledge knowledge = open("one");
        JdbcKnowledge other = open("two")) {
      assertEquals(List.of(plan(NOON, 2), plan(NOON, 1)), knowledge.plans(10), "newest first");
      assertEquals(List.of(plan(NOON, 2)), knowledge.plans(1));
      assertEquals(List.of(decision), knowledge.decisions(10));
      assertEquals(List.of(none, seen), knowledge.observations("sky", 10));
      assertEquals(List.of(), other.plans(10));
      other.save(plan(NOON, 7));
      await().atMost(PATIENCE).until(() -> other.plans(10).size() == 1);
      assertEquals(2, knowledge.plans(10).size());
    }
  }

  @Test
  void shouldKeepTheNewestCopyOfADocument() throws SQLException {
    try (JdbcKnowledge knowledge = open("one")) {
      for (long version : new long[] {4, 6, 5, 6}) {
        String document = "{\"v\":" + version + "}";
        knowledge.save(new Fact.DocumentSaved(NOON, "registry", version, document));
      }
      knowledge.save(new Fact.DocumentSaved(NOON, "contracts", 1, "{}"));
      knowledge.save(plan(NOON, 1));
      await().atMost(PATIENCE).until(() -> knowledge.plans(1).size() == 1);
    }
    assertEquals(
        List.of("1 {}", "6 {\"v\":6}"),
        database()
            .writer()
            .read(
                open ->
                    open.select("SELECT version, document FROM broker_document ORDER BY name")
                        .map((row, _) -> row.getLong(1) + " " + row.getString(2))
                        .list()));
  }

  @Test
  void shouldForgetWhatIsOlderThanTheHistoryIsKept() {
    Instant old = NOON.minus(Duration.ofDays(limits.retainDays())).minusMillis(1);
    Instant kept = old.plusMillis(1);
    try (JdbcKnowledge knowledge = open("one")) {
      knowledge.save(plan(old, 1));
      knowledge.save(plan(kept, 2));
      await().atMost(PATIENCE).until(() -> !knowledge.plans(10).isEmpty());
    }
    try (JdbcKnowledge knowledge = open("one")) {
      knowledge.save(plan(NOON, 3));
      await()
          .atMost(PATIENCE)
          .until(() -> knowledge.plans(10).equals(List.of(plan(NOON, 3), plan(kept, 2))));
    }
  }

  @Test
  void shouldLetFactsWaitForADatabaseThatIsAwayUpToALimit() throws IOException {
    Path inTheWay = data.resolve("broker");
    Files.writeString(inTheWay, "no folder");
    try (JdbcKnowledge knowledge = open("one")) {
      for (int i = 1; i <= JdbcKnowledge.MAX_WAITING; i++) {
        knowledge.save(plan(NOON, i));
      }
      assertEquals(0, knowledge.givenUp());
      assertEquals(List.of(), knowledge.plans(1));
      for (int i = 1; i <= 1_000; i++) {
        knowledge.save(plan(NOON, JdbcKnowledge.MAX_WAITING + i));
      }
      long givenUp = knowledge.givenUp();
      assertTrue(givenUp > 0 && givenUp <= 1_000, () -> "given up: " + givenUp);
      Files.delete(inTheWay);
      long last = JdbcKnowledge.MAX_WAITING + 1_000;
      await().atMost(PATIENCE).until(() -> knowledge.plans(1).equals(List.of(plan(NOON, last))));
      assertEquals(last - givenUp, knowledge.plans(20_000).size(), "all others were written");
    }
  }
}
