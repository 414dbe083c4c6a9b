package dev.pinion.broker.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.document.DocumentReading;
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
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Behaviour of the broker while its solver gives no provable answer, or none at all. */
class OptimizerAwayTest {
  /** Kinds of failure of the solver's calls. */
  enum Harm {
    NONE,
    STOPPED,
    SLOW,
    FAILING,
    GARBAGE
  }

  private static final Duration LIMIT = Duration.ofMillis(20);

  @TempDir private Path data;
  private final CountDownLatch over = new CountDownLatch(1);
  private final LpSolver real = new OrToolsSolver(OrToolsSolver.Algorithm.GLOP);
  private volatile Harm harm = Harm.NONE;
  private BrokerService desk;

  private final LpSolver harmed =
      new LpSolver() {
        @Override
        public String name() {
          return "harmed";
        }

        @Override
        public Solution solve(LinearProgram program, Duration limit) {
          return switch (harm) {
            case NONE -> real.solve(program, Duration.ofSeconds(10));
            case STOPPED -> new Solution.Failed("no library");
            case SLOW -> slow();
            case FAILING -> throw new IllegalStateException("crashed");
            case GARBAGE -> {
              double[] values = new double[program.columns()];
              Arrays.fill(values, 7);
              yield new Solution.ClaimedOptimum(values, new double[program.rows()]);
            }
          };
        }
      };

  private Solution slow() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Solution.Failed("too late");
  }

  @BeforeEach
  void open() throws IOException {
    reopen();
    for (String id : List.of("sky", "sea", "land")) {
      done(service(id, ""));
    }
    done(ask(Verb.PUT, "model", "", "{\"process\": {\"type\": \"task\", \"task\": \"flights\"}}"));
    done(ask(Verb.PUT, "classes", "std", "{\"r_max\": 0.5, \"price\": 5}"));
    done(ask(Verb.PUT, "slas", "a", "{\"class\": \"std\", \"rate\": 15}"));
    assertEquals(PlanState.OPTIMAL, desk.plan().state(), desk.plan()::reason);
  }

  /** Solvers get all the time they need, except when they never answer. */
  private void reopen() throws IOException {
    boolean hangs = harm == Harm.SLOW;
    VerifiedSolver solver =
        new VerifiedSolver(
            List.of(new GuardedSolver(harmed, hangs ? LIMIT : Duration.ofSeconds(10))),
            Clock.system(),
            hangs ? LIMIT : Duration.ofSeconds(10));
    desk =
        BrokerService.open(
            new BrokerFolder(data),
            new RegistryReader(_ -> null),
            solver,
            Clock.system(),
            KnowledgeBase.NONE);
  }

  @AfterEach
  void end() {
    over.countDown();
  }

  private BrokerResponse ask(Verb verb, String collection, String id, String body) {
    return desk.handle(new BrokerRequest(verb, collection, id, null, null, body));
  }

  private static void done(BrokerResponse brokerResponse) {
    assertTrue(
        brokerResponse.outcome() == BrokerStatus.CREATED
            || brokerResponse.outcome() == BrokerStatus.OK,
        brokerResponse::toString);
  }

  /** A service with its own cost and room for ten calls/s. */
  private BrokerResponse service(String id, String more) {
    int cost = List.of("sky", "sea", "land").indexOf(id) + 1;
    return ask(
        Verb.PUT,
        "services",
        id,
        String.format(
            Locale.ROOT,
            """
            {"serves": ["flights"], "endpoint": "http://127.0.0.1:1/%s", "idempotent": true,
             "r": 0.1, "d": 0.99, "c": %d, "load": 10%s}\
            """,
            id,
            cost,
            more));
  }

  private String shares() throws IOException {
    byte[] document = BrokerFolder.read(new BrokerFolder(data).table(), 1 << 20);
    assertNotNull(document);
    return switch (new RegistryReader(_ -> null).table(document)) {
      case DocumentReading.Valid<PublishedTable>(PublishedTable table) ->
          String.valueOf(table.bindings().get("std"));
      case DocumentReading.Invalid<PublishedTable> invalid -> throw new AssertionError(invalid);
    };
  }

  private long version() {
    return desk.plan().version();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void shouldKeepTheLastGoodPlanAndRepairItWhereServicesAreGone(Harm how) throws IOException {
    long before = version();
    String shares = shares();
    harm = how;
    reopen();
    assertEquals(PlanState.LAST_GOOD, desk.plan().state(), desk.plan()::toString);
    assertEquals(before, version(), "also over a restart");
    assertEquals(shares, shares());
    BrokerResponse refused = ask(Verb.PUT, "slas", "b", "{\"class\": \"std\", \"rate\": 1}");
    assertEquals(BrokerStatus.UNAVAILABLE, refused.outcome(), "nobody is taken on");

    assertEquals(BrokerStatus.OK, ask(Verb.WITHDRAW, "services", "sky", "").outcome());
    assertEquals(PlanState.REPAIRED, desk.plan().state(), desk.plan()::toString);
    assertEquals(before + 1, version());
    assertTrue(shares().contains("sea") && !shares().contains("sky"), shares());

    done(service("new", ""));
    assertEquals(PlanState.REPAIRED, desk.plan().state(), "as it stands");
    assertEquals(before + 1, version());

    harm = Harm.NONE;
    over.countDown();
    reopen();
    assertEquals(PlanState.OPTIMAL, desk.plan().state(), desk.plan()::reason);
    assertTrue(version() > before + 1);
  }

  @Test
  void shouldGiveTheBestSingleServiceToATaskThatLostAllShares() throws IOException {
    harm = Harm.STOPPED;
    reopen();
    ask(Verb.WITHDRAW, "services", "sky", "");
    ask(Verb.WITHDRAW, "services", "sea", "");
    assertEquals(PlanState.REPAIRED, desk.plan().state());
    assertTrue(shares().contains("[land], fraction=1.0"), shares());
    long version = version();

    ask(Verb.WITHDRAW, "services", "land", "");
    assertEquals(version, version(), "nobody else may do it");
    assertTrue(shares().contains("land"), shares());
    assertTrue(desk.plan().reason().contains("expected"), desk.plan().reason());
  }

  @Test
  void shouldRelaxWhereNothingKeepsEverything() {
    ask(Verb.WITHDRAW, "services", "sky", "");
    assertEquals(PlanState.OPTIMAL, desk.plan().state());
    ask(Verb.WITHDRAW, "services", "sea", "");
    assertEquals(PlanState.RELAXED, desk.plan().state(), desk.plan()::reason);
  }
}
