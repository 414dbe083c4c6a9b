package dev.pinion.bootstrap.brokerd;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.bootstrap.history.HistoryDatabase;
import dev.pinion.bootstrap.history.Postgres;
import dev.pinion.bootstrap.history.Tables;
import dev.pinion.broker.registry.Fact;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The broker's knowledge of two engines in the PostgreSQL database of their history. */
class PostgresKnowledgeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

  private final EngineLimits limits = EngineLimits.defaults();

  private JdbcKnowledge open(Postgres server, String engine) {
    HistoryDatabase database =
        new HistoryDatabase(server.target(), limits.history(), HistoryDatabase.SchemaOwner.BROKER);
    return JdbcKnowledge.open(database, engine, limits.history(), Clock.system());
  }

  @Test
  void shouldGiveUpWhatTheDatabaseRefusesAndKeepTheRest() throws Exception {
    Optional<String> missing = Postgres.missing();
    missing.ifPresent(System.err::println);
    assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    Fact.PlanMade refused = new Fact.PlanMade(NOON, 2, "optimal", "a\0b", "{}");
    try (Postgres server = Postgres.start();
        JdbcKnowledge knowledge = open(server, "one")) {
      for (int version = 1; version <= 3; version++) {
        Fact.PlanMade kept = new Fact.PlanMade(NOON, version, "optimal", "start", "{}");
        knowledge.save(version == 2 ? refused : kept);
      }
      await().atMost(PATIENCE).until(() -> knowledge.plans(9).size() == 2);
      assertEquals(
          List.of(3L, 1L), knowledge.plans(9).stream().map(Fact.PlanMade::version).toList());
    }
  }

  @Test
  void shouldBeSharedByEnginesBesideTheHistory() throws Exception {
    Optional<String> missing = Postgres.missing();
    missing.ifPresent(System.err::println);
    assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    Fact.PlanMade plan = new Fact.PlanMade(NOON, 1, "optimal", "start", "{}");
    Fact.Observation seen = new Fact.Observation(NOON, "sky", "std", 2, 2, Double.NaN);
    try (Postgres server = Postgres.start();
        JdbcKnowledge one = open(server, "one");
        JdbcKnowledge two = open(server, "two")) {
      one.save(plan);
      one.save(new Fact.DecisionMade(NOON, "PUT slas/a", "created", 1, "{}"));
      one.save(new Fact.DocumentSaved(NOON, "contracts", 2, "{\"new\":1}"));
      one.save(new Fact.DocumentSaved(NOON, "contracts", 1, "{\"old\":1}"));
      one.save(seen);
      two.save(seen);
      await().atMost(PATIENCE).until(() -> one.observations("sky", 9).size() == 1);
      await().atMost(PATIENCE).until(() -> two.observations("sky", 9).size() == 1);
      assertEquals(List.of(plan), one.plans(9));
      assertEquals(List.of(), two.plans(9));
      assertEquals(1, one.decisions(9).size());
      HistoryDatabase history = new HistoryDatabase(server.target(), limits.history());
      history.migrate();
      assertEquals(
          List.of("one contracts 2 {\"new\":1}"),
          Tables.rows(history, "SELECT engine, name, version, document FROM broker_document"));
      assertEquals(List.of(), Tables.all(history), "its own tables are there, and empty");
    }
  }
}
