package dev.pinion.broker.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.lp.GuardedSolver;
import dev.pinion.broker.lp.LinearProgram;
import dev.pinion.broker.lp.LpSolver;
import dev.pinion.broker.lp.OrToolsSolver;
import dev.pinion.broker.lp.Solution;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.KnowledgeBase;
import dev.pinion.broker.registry.PlanState;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Services die while a solver runs, which answers when the test allows it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a wait may be endless
class RepairDuringSolveTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir private Path data;
  private final CountDownLatch solving = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final LpSolver real = new OrToolsSolver(OrToolsSolver.Algorithm.GLOP);
  private volatile boolean waits;
  private BrokerService desk;

  private final LpSolver held =
      new LpSolver() {
        @Override
        public String name() {
          return "held";
        }

        @Override
        public Solution solve(LinearProgram program, Duration limit) {
          if (waits) {
            solving.countDown();
            try {
              go.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          return real.solve(program, limit);
        }
      };

  @BeforeEach
  void open() throws IOException {
    desk =
        BrokerService.open(
            new BrokerFolder(data),
            new RegistryReader(_ -> null),
            new VerifiedSolver(List.of(new GuardedSolver(held, LIMIT)), Clock.system(), LIMIT),
            Clock.system(),
            KnowledgeBase.NONE);
    service("sky", 1);
    service("sea", 2);
    service("land", 3);
    put("model", "", "{\"process\": {\"type\": \"task\", \"task\": \"flights\"}}");
    put("classes", "std", "{\"r_max\": 0.5, \"price\": 5}");
    put("slas", "a", "{\"class\": \"std\", \"rate\": 8}");
    assertEquals(PlanState.OPTIMAL, desk.plan().state(), desk.plan()::reason);
    assertTrue(calls("sky"), "the cheapest");
  }

  @AfterEach
  void end() {
    go.countDown();
  }

  private void service(String id, int cost) {
    put(
        "services",
        id,
        String.format(
            Locale.ROOT,
            """
            {"serves": ["flights"], "endpoint": "http://127.0.0.1:1/%s", "idempotent": true,
             "r": 0.1, "d": 0.99, "c": %d, "load": 10}\
            """,
            id,
            cost));
  }

  private void put(String collection, String id, String body) {
    BrokerResponse brokerResponse = ask(Verb.PUT, collection, id, body);
    assertEquals(BrokerStatus.CREATED, brokerResponse.outcome(), brokerResponse::detail);
  }

  private BrokerResponse ask(Verb verb, String collection, String id, String body) {
    return desk.handle(new BrokerRequest(verb, collection, id, null, null, body));
  }

  /** Whether the table in force binds calls to a service. */
  private boolean calls(String id) throws IOException {
    String table = Files.readString(new BrokerFolder(data).table()).replaceAll("\\s", "");
    return table.contains("[\"" + id + "\"],\"fraction\"");
  }

  private void probe(Map<String, Boolean> alive, int rounds) {
    for (int i = 0; i < rounds; i++) {
      desk.probe(_ -> alive);
    }
  }

  @Test
  void shouldSeeWhatOthersChangeWhileASolverWorks() throws IOException, InterruptedException {
    waits = true;
    CompletableFuture<BrokerResponse> withdrawn =
        CompletableFuture.supplyAsync(() -> ask(Verb.WITHDRAW, "services", "land", ""));
    solving.await();
    Path registry = new BrokerFolder(data).registry();
    Files.setLastModifiedTime(registry, FileTime.from(Instant.now().plusSeconds(1)));
    go.countDown();
    assertEquals(BrokerStatus.OK, withdrawn.join().outcome());
    assertEquals("service land withdrawn", desk.plan().cause());

    desk.tick();

    assertEquals("files changed", desk.plan().cause());
    desk.tick();
    assertEquals("files changed", desk.plan().cause());
  }

  @Test
  void shouldRepairAtOnceAndTakeNoAnswerThatCallsWhoHasGone()
      throws IOException, InterruptedException {
    long before = desk.plan().version();
    waits = true;
    CompletableFuture<BrokerResponse> withdrawn =
        CompletableFuture.supplyAsync(() -> ask(Verb.WITHDRAW, "services", "land", ""));
    solving.await();

    probe(Map.of("sky", false, "sea", true), 3);

    assertFalse(withdrawn.isDone(), "the solver still works");
    assertEquals(PlanState.REPAIRED, desk.plan().state());
    assertEquals(before + 1, desk.plan().version());
    assertTrue(calls("sea") && !calls("sky"));

    go.countDown();
    assertEquals(BrokerStatus.OK, withdrawn.join().outcome());
    assertFalse(calls("sky"), "what was solved before it had gone calls it");
    assertEquals(PlanState.REPAIRED, desk.plan().state());

    desk.tick();
    assertEquals(PlanState.OPTIMAL, desk.plan().state(), "solved without it");
    assertTrue(calls("sea") && !calls("sky"));
  }

  @Test
  void shouldKnowWhoIsBackBeforeTheSolverAnswers() throws IOException, InterruptedException {
    probe(Map.of("sky", false), 3);
    desk.tick();
    assertTrue(calls("sea") && !calls("sky"));
    waits = true;
    CompletableFuture<BrokerResponse> withdrawn =
        CompletableFuture.supplyAsync(() -> ask(Verb.WITHDRAW, "services", "land", ""));
    solving.await();

    probe(Map.of("sky", true), 5);

    go.countDown();
    assertEquals(BrokerStatus.OK, withdrawn.join().outcome());
    assertTrue(calls("sea"), "as it was solved");
    assertEquals(PlanState.OPTIMAL, desk.plan().state());
  }
}
