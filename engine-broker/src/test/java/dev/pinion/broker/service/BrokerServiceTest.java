package dev.pinion.broker.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.document.ProblemBuilder;
import dev.pinion.broker.document.ProblemLimits;
import dev.pinion.broker.document.ProblemReading;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.monitor.CallStatistics;
import dev.pinion.broker.monitor.ObservationBatch;
import dev.pinion.broker.optimise.OptimisationResult;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.Fact;
import dev.pinion.broker.registry.KnowledgeBase;
import dev.pinion.broker.registry.PlanState;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two services of 10 calls/s each, and contracts for them. */
class BrokerServiceTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MODEL =
      """
      {"process": {"type": "task", "task": "flights"}, "defaultClass": "std"}\
      """;
  private static final VerifiedSolver SOLVER =
      VerifiedSolver.ofOrTools(Clock.system(), Duration.ofSeconds(10));

  @TempDir private Path data;
  private final AtomicLong millis =
      new AtomicLong(Instant.parse("2030-01-01T00:00:00Z").toEpochMilli());
  private final AtomicLong tickMillis = new AtomicLong();
  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return millis.addAndGet(tickMillis.get()) * 1_000_000;
        }

        @Override
        public String scale() {
          return "test";
        }

        @Override
        public long epochMillis() {
          return millis.get();
        }
      };
  private final RememberedFacts memory = new RememberedFacts();
  private BrokerService desk;

  @BeforeEach
  void open() throws IOException {
    desk =
        BrokerService.open(
            new BrokerFolder(data), new RegistryReader(_ -> null), SOLVER, clock, memory);
  }

  private BrokerResponse ask(Verb verb, String collection, String id, String body) {
    return desk.handle(new BrokerRequest(verb, collection, id, null, null, body));
  }

  private BrokerResponse service(String id, double time, String more) {
    String document =
        """
        {"serves": ["flights"], "endpoint": "http://127.0.0.1:1/%s", "idempotent": true,
         "r": %s, "d": 0.99, "c": 1, "load": 10%s}\
        """
            .formatted(id, time, more);
    return ask(Verb.PUT, "services", id, document);
  }

  private BrokerResponse sla(String id, double rate) {
    return ask(Verb.PUT, "slas", id, "{\"class\": \"std\", \"rate\": " + rate + "}");
  }

  private void setUp() {
    assertEquals(BrokerStatus.CREATED, service("sky", 0.1, "").outcome());
    assertEquals(BrokerStatus.CREATED, service("sea", 0.3, "").outcome());
    assertEquals(BrokerStatus.CREATED, ask(Verb.PUT, "model", "", MODEL).outcome());
    BrokerResponse added = ask(Verb.PUT, "classes", "std", "{\"r_max\": 0.25, \"price\": 5}");
    assertEquals(BrokerStatus.CREATED, added.outcome(), added::toString);
  }

  private JsonNode json(BrokerResponse brokerResponse) throws IOException {
    return JSON.readTree(brokerResponse.body());
  }

  @Test
  void shouldPublishWhoHasContractsOfWhichClass() throws IOException {
    setUp();
    String contract = "{\"user\": \"%s\", \"class\": \"%s\", \"rate\": 1}";
    assertEquals(BrokerStatus.CREATED, sla("nobody", 1).outcome());
    assertEquals(
        BrokerStatus.CREATED, ask(Verb.PUT, "classes", "slow", "{\"price\": 5}").outcome());
    ask(Verb.PUT, "slas", "a", contract.formatted("ann", "slow"));
    ask(Verb.PUT, "slas", "b", contract.formatted("ann", "std"));
    assertEquals(Map.of("ann", List.of("slow", "std")), callers());
    ask(Verb.DELETE, "slas", "a", "");
    assertEquals(Map.of("ann", List.of("std")), callers());
  }

  @Test
  void shouldBindToOneServiceWhereOneKeepsState() throws IOException {
    setUp();
    sla("a", 8);
    assertFalse(table().registry().keepsState("flights"));
    assertEquals(BrokerStatus.OK, service("sea", 0.3, ", \"stateful\": true").outcome());
    assertTrue(json(ask(Verb.GET, "services", "sea", "")).path("stateful").asBoolean());
    assertTrue(table().registry().keepsState("flights"), "for all that serve it");
    assertFalse(table().registry().keepsState("hotels"));
    assertTrue(
        Objects.requireNonNull(table().bindings().get("std"))
            .getOrDefault("flights", List.of())
            .stream()
            .allMatch(each -> each.pattern() == CoordinationPattern.SINGLE));
    assertEquals(BrokerStatus.INVALID, service("sea", 0.3, ", \"stateful\": 1").outcome());
  }

  @Test
  void shouldPublishWhatWasPromisedOfEachClass() throws IOException {
    setUp();
    String contract = "{\"user\": \"%s\", \"class\": \"std\", \"rate\": %s}";
    ask(Verb.PUT, "slas", "a", contract.formatted("ann", 2));
    assertEquals(Map.of("std", Map.of("ann", 2.0)), table().rates());
    ask(Verb.PUT, "slas", "b", contract.formatted("bob", 1));
    ask(Verb.PUT, "slas", "c", contract.formatted("ann", 0.5));
    assertEquals(BrokerStatus.CREATED, sla("nobodys", 1.5).outcome());
    assertEquals(Map.of("std", Map.of("ann", 2.5, "bob", 1.0, "", 1.5)), table().rates());
    ask(Verb.DELETE, "slas", "a", "");
    assertEquals(Map.of("std", Map.of("ann", 0.5, "bob", 1.0, "", 1.5)), table().rates());
  }

  @Test
  void shouldPublishWhichServicesAnswerLater() throws IOException {
    setUp();
    sla("a", 8);
    assertFalse(table().registry().service("sea").orElseThrow().async());
    assertEquals(BrokerStatus.OK, service("sea", 0.3, ", \"async\": true").outcome());
    assertTrue(json(ask(Verb.GET, "services", "sea", "")).path("async").asBoolean());
    assertTrue(table().registry().service("sea").orElseThrow().async());
    assertEquals(BrokerStatus.INVALID, service("sea", 0.3, ", \"async\": 1").outcome());
  }

  private Map<String, List<String>> callers() throws IOException {
    return table().callers();
  }

  private PublishedTable table() throws IOException {
    byte[] table = BrokerFolder.read(new BrokerFolder(data).table(), 1 << 20);
    assertNotNull(table);
    return switch (new RegistryReader(_ -> null).table(table)) {
      case DocumentReading.Valid<PublishedTable>(PublishedTable published) -> published;
      case DocumentReading.Invalid<PublishedTable> invalid -> throw new AssertionError(invalid);
    };
  }

  @Test
  void shouldAdmitWhatFitsAndOfferWhatWould() throws IOException {
    setUp();
    assertEquals(PlanState.NONE, desk.plan().state());
    assertEquals(BrokerStatus.CREATED, sla("a", 8).outcome());
    assertEquals(PlanState.OPTIMAL, desk.plan().state());
    assertEquals(1, desk.plan().version());

    // r_max 0.25: at most 3 of 4 calls to the slow one, which takes 10; so at most 10 + 10 in sum
    BrokerResponse refused = sla("b", 13);
    assertEquals(BrokerStatus.NOT_ADMITTED, refused.outcome(), refused::toString);
    double offer = json(refused).path("offer").path("rate").asDouble();
    assertTrue(offer > 11.9 && offer < 12, refused::toString);
    assertEquals(BrokerStatus.NOT_FOUND, ask(Verb.GET, "slas", "b", "").outcome());
    assertEquals(BrokerStatus.CREATED, sla("b", offer).outcome(), "an offer can be kept");

    assertEquals(BrokerStatus.NOT_ADMITTED, sla("a", 8.1).outcome(), "a change is decided anew");
    assertEquals(BrokerStatus.OK, sla("a", 7).outcome(), "less is never refused");
    assertEquals(BrokerStatus.OK, sla("b", 12.5).outcome());
    assertEquals(BrokerStatus.GONE, ask(Verb.DELETE, "slas", "b", "").outcome());
    assertEquals(
        BrokerStatus.NOT_ADMITTED,
        ask(Verb.DELETE, "classes", "std", "").outcome(),
        "a class with contracts");
    assertEquals(
        BrokerStatus.NOT_ADMITTED,
        ask(Verb.PUT, "classes", "std", "{\"r_max\": 0.05}").outcome(),
        "a class that contracts do not fit");
  }

  @Test
  void shouldRefuseMoreOfAContractWhenTheRestWouldCostMoreThanItEarns() {
    setUp();
    String dear =
        """
        {"serves": ["flights"], "endpoint": "http://127.0.0.1:1/sea", "idempotent": true,
         "r": 0.1, "d": 0.99, "c": 20, "load": 10}\
        """;
    assertEquals(BrokerStatus.OK, ask(Verb.PUT, "services", "sea", dear).outcome());
    assertEquals(BrokerStatus.CREATED, sla("a", 10).outcome(), "all by sky: 10 x (5 - 1)");

    BrokerResponse more = sla("a", 12);

    assertEquals(
        BrokerStatus.NOT_ADMITTED, more.outcome(), "2 x (5 - 20), though 12 earn 10 still");
    assertTrue(more.detail().contains("by 30.0000/s"), more::toString);
    assertEquals(BrokerStatus.OK, sla("a", 9).outcome(), "less is never refused");
  }

  @Test
  void shouldDecideAboutAContractThatIsToLastLonger() {
    setUp();
    String until = "{\"class\": \"std\", \"rate\": 8, \"until\": \"2030-01-01T00:0%s:00Z\"}";
    assertEquals(BrokerStatus.CREATED, ask(Verb.PUT, "slas", "a", until.formatted(5)).outcome());
    assertEquals(BrokerStatus.GONE, ask(Verb.DELETE, "services", "sky", "").outcome());

    assertEquals(BrokerStatus.NOT_ADMITTED, sla("a", 8).outcome(), "without an end");
    assertEquals(
        BrokerStatus.NOT_ADMITTED,
        ask(Verb.PUT, "slas", "a", until.formatted(6)).outcome(),
        "later");
    assertEquals(
        BrokerStatus.OK, ask(Verb.PUT, "slas", "a", until.formatted(4)).outcome(), "sooner");
  }

  private BrokerResponse sla(String id, double rate, String validity) {
    return ask(
        Verb.PUT,
        "slas",
        id,
        "{\"user\": \"%s\", \"class\": \"std\", \"rate\": %s, %s}".formatted(id, rate, validity));
  }

  @Test
  void shouldCountAContractFromWhenItBegins() throws IOException {
    setUp();
    assertEquals(BrokerStatus.CREATED, sla("a", 8).outcome());
    String later = "\"from\": \"2030-01-01T00:05:00Z\"";
    assertEquals(BrokerStatus.CREATED, sla("b", 11, later).outcome());
    assertEquals(
        "2030-01-01T00:05:00Z", json(ask(Verb.GET, "slas", "b", "")).path("from").asText());
    assertEquals(Map.of("std", Map.of("", 8.0)), table().rates(), "not yet");
    assertEquals(Map.of(), callers());

    BrokerResponse refused = sla("c", 5); // 8 + 5 now, but 8 + 11 + 5 of 20 from then on
    assertEquals(BrokerStatus.NOT_ADMITTED, refused.outcome(), refused::toString);
    assertTrue(refused.detail().contains("from 2030-01-01T00:05:00Z on"), refused::toString);
    double offer = json(refused).path("offer").path("rate").asDouble();
    assertTrue(offer > 0.9 && offer <= 1, refused::toString);
    String ends = "\"until\": \"2030-01-01T00:05:00Z\"";
    assertEquals(BrokerStatus.CREATED, sla("c", 5, ends).outcome(), "gone when the other begins");
    assertEquals(BrokerStatus.CREATED, sla("d", offer).outcome(), "an offer can be kept");
    assertEquals(
        BrokerStatus.NOT_ADMITTED, sla("b", 11.5, later).outcome(), "a change is decided for then");

    desk.tick();
    long version = desk.plan().version();
    millis.addAndGet(Duration.ofMinutes(5).toMillis() - 1);
    desk.tick();
    assertEquals(version, desk.plan().version(), "a moment before");
    millis.addAndGet(1);
    assertEquals(BrokerStatus.NOT_ADMITTED, sla("e", 100).outcome(), "no plan is made for it");
    desk.tick();
    assertEquals("a contract began", desk.plan().cause());
    assertEquals(Map.of("b", List.of("std")), callers());
    assertEquals(11.0, Objects.requireNonNull(table().rates().get("std")).get("b"));
    version = desk.plan().version();
    desk.tick();
    assertEquals(version, desk.plan().version(), "planned for once");
  }

  @Test
  void shouldHoldClassesToContractsThatBeginLater() {
    setUp();
    sla("a", 8);
    assertEquals(
        BrokerStatus.CREATED, sla("b", 11, "\"from\": \"2030-01-01T00:05:00Z\"").outcome());
    String tighter = "{\"r_max\": 0.15, \"price\": 5}";
    BrokerResponse refused = ask(Verb.PUT, "classes", "std", tighter);
    assertEquals(BrokerStatus.NOT_ADMITTED, refused.outcome(), "0.1 s now, 0.195 s then");
    assertTrue(refused.detail().contains("from 2030-01-01T00:05:00Z on"), refused::toString);
    assertEquals(BrokerStatus.GONE, ask(Verb.DELETE, "slas", "a", "").outcome());
    assertEquals(
        BrokerStatus.NOT_ADMITTED,
        ask(Verb.DELETE, "classes", "std", "").outcome(),
        "it has one yet");
    assertEquals(BrokerStatus.GONE, ask(Verb.DELETE, "slas", "b", "").outcome());
    assertEquals(BrokerStatus.OK, ask(Verb.PUT, "classes", "std", tighter).outcome());
  }

  @Test
  void shouldBoundTheMomentsAtWhichContractsBegin() {
    setUp();
    Instant now = Instant.ofEpochMilli(millis.get());
    String during = "\"from\": \"%s\", \"until\": \"%s\"";
    for (int i = 1; i <= Contracts.MAX_BEGINNINGS; i++) {
      String hour = during.formatted(now.plusSeconds(i), now.plusSeconds(i + 1));
      assertEquals(BrokerStatus.CREATED, sla("s" + i, 1, hour).outcome());
    }
    String known = during.formatted(now.plusSeconds(1), now.plusSeconds(9));
    assertEquals(BrokerStatus.CREATED, sla("more", 1, known).outcome(), "when another one begins");
    String further = during.formatted(now.plusSeconds(1_000), now.plusSeconds(1_001));
    BrokerResponse full = sla("further", 1, further);
    assertEquals(BrokerStatus.FULL, full.outcome(), full::toString);
    assertEquals(BrokerStatus.CREATED, sla("now", 1).outcome(), "when none begins yet");
    assertEquals(
        BrokerStatus.FULL, sla("now", 0.5, further).outcome(), "less, but one moment more");
    millis.addAndGet(1_000);
    assertEquals(BrokerStatus.CREATED, sla("further", 1, further).outcome(), "one has begun");
  }

  @Test
  void shouldNotDecideForLongerThanAskersWait() throws IOException {
    setUp();
    Instant now = Instant.ofEpochMilli(millis.get());
    for (int i = 1; i <= 9; i++) {
      String from = "\"from\": \"" + now.plusSeconds(60L * i) + "\"";
      assertEquals(BrokerStatus.CREATED, sla("s" + i, 1, from).outcome());
    }
    tickMillis.set(3_000); // each reading of the clock takes three seconds
    BrokerResponse brokerResponse = sla("late", 1);
    assertEquals(BrokerStatus.UNAVAILABLE, brokerResponse.outcome(), brokerResponse::toString);
    assertTrue(brokerResponse.detail().contains("too many moments"), brokerResponse::detail);
    tickMillis.set(0);
    assertEquals(BrokerStatus.CREATED, sla("late", 1).outcome());
  }

  @Test
  void shouldTellThatServicesWillBeGoneWhenAContractBegins() {
    setUp();
    assertEquals(BrokerStatus.CREATED, sla("a", 1, "\"from\": \"2030-01-01T00:05:00Z\"").outcome());
    String ends = ", \"until\": \"2030-01-01T00:04:00Z\"";
    assertEquals(BrokerStatus.OK, service("sky", 0.1, ends).outcome());
    assertEquals(BrokerStatus.OK, service("sea", 0.3, ends).outcome());
    String changed = "{\"r_max\": 0.25, \"price\": 6}";
    BrokerResponse refused = ask(Verb.PUT, "classes", "std", changed);
    assertEquals(BrokerStatus.NOT_ADMITTED, refused.outcome(), refused::toString);
    assertTrue(refused.detail().endsWith("from 2030-01-01T00:05:00Z on"), refused::detail);
    assertEquals(BrokerStatus.NOT_ADMITTED, sla("b", 1).outcome());
    assertEquals(BrokerStatus.GONE, ask(Verb.DELETE, "slas", "a", "").outcome());
    assertEquals(BrokerStatus.OK, ask(Verb.PUT, "classes", "std", changed).outcome());
  }

  @Test
  void shouldHoldClassesToLaterContractsAlsoWhileNobodyServes() throws IOException {
    String opens = ", \"from\": \"2030-01-01T00:03:00Z\"";
    assertEquals(BrokerStatus.CREATED, service("sky", 0.1, opens).outcome());
    desk.onDeployment(new ProcessNode.Task("flights"), List.of("trip"));
    String loose = "{\"r_max\": 0.25, \"price\": 5}";
    assertEquals(BrokerStatus.CREATED, ask(Verb.PUT, "classes", "std", loose).outcome());
    BrokerResponse later = sla("a", 1, "\"from\": \"2030-01-01T00:05:00Z\"");
    assertEquals(BrokerStatus.CREATED, later.outcome(), later::toString);
    String tight = "{\"r_max\": 0.05, \"price\": 5}";
    assertEquals(BrokerStatus.NOT_ADMITTED, ask(Verb.PUT, "classes", "std", tight).outcome());
    assertEquals(
        BrokerStatus.OK,
        ask(Verb.PUT, "classes", "std", "{\"r_max\": 0.2, \"price\": 5}").outcome());
  }

  @Test
  void shouldTakeLessOfAContractThatHasBegun() throws IOException {
    setUp();
    assertEquals(
        BrokerStatus.CREATED, sla("a", 11, "\"from\": \"2030-01-01T00:05:00Z\"").outcome());
    millis.addAndGet(Duration.ofMinutes(6).toMillis());
    desk.tick();
    assertEquals(BrokerStatus.GONE, ask(Verb.DELETE, "services", "sky", "").outcome());
    assertEquals(PlanState.RELAXED, desk.plan().state());
    assertEquals(BrokerStatus.OK, sla("a", 10.5).outcome(), "without from");
    assertEquals(BrokerStatus.NOT_ADMITTED, sla("a", 11).outcome(), "more again");
  }

  @Test
  void shouldRememberARefusedIdWithoutWhatDatabasesRefuse() {
    BrokerResponse refused = ask(Verb.PUT, "slas", "a\0b\nc", "{\"class\": \"std\", \"rate\": 1}");
    assertEquals(BrokerStatus.INVALID, refused.outcome(), refused::toString);

    assertEquals("PUT slas/a\uFFFDb\uFFFDc", memory.decisions(1).getFirst().change());
  }

  /** Field fault 29: a precondition counts only for a request that would succeed without it. */
  @Test
  void shouldJudgeTheNameBeforeTheCondition() {
    BrokerRequest misnamed = new BrokerRequest(Verb.PUT, "slas", "-a", "*", null, "{}");
    BrokerRequest named = new BrokerRequest(Verb.PUT, "slas", "a", "*", null, "{}");
    assertEquals(BrokerStatus.INVALID, desk.handle(misnamed).outcome());
    assertEquals(BrokerStatus.PRECONDITION_FAILED, desk.handle(named).outcome());
  }

  @Test
  void shouldTellPlansAndDecisionsWhileSomethingIsSolved() throws Exception {
    setUp();
    BrokerService asked = desk;
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch enough = new CountDownLatch(1);
    Thread solving =
        Thread.ofPlatform()
            .start(
                () -> {
                  synchronized (asked) { // like a thread that changes something
                    busy.countDown();
                    try {
                      enough.await();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  }
                });
    busy.await();
    for (String each : List.of("plan", "plans", "decisions")) {
      assertEquals(BrokerStatus.OK, ask(Verb.GET, each, "", "").outcome(), each);
    }
    enough.countDown();
    solving.join();
  }

  @Test
  void shouldShowWhatClassesHadBesideWhatTheyPromise() throws IOException {
    setUp();
    sla("a", 8);
    assertTrue(json(ask(Verb.GET, "classes", "", "")).at("/items/0/observed").isMissingNode());
    CallStatistics ended = new CallStatistics(4, 1, 0.8, 0.2);
    ObservationBatch observationBatch =
        new ObservationBatch(
            List.of(), List.of(new ObservationBatch.ClassSample("std", 5, ended, Map.of())), 0);
    ask(Verb.PUT, BrokerService.OBSERVATIONS, "0", ObservationJson.batch(observationBatch));
    millis.addAndGet(1_000);

    JsonNode observed = json(ask(Verb.GET, "classes", "", "")).at("/items/0/observed");
    assertEquals(4, observed.path("requests").asDouble(), observed::toString);
    assertEquals(0.2, observed.path("r").asDouble(), 1e-9);
    assertEquals(0.75, observed.path("d").asDouble(), 1e-9);
    assertTrue(observed.path("rError").asDouble() > 0 && observed.path("arrivals").asDouble() > 0);
  }

  @Test
  void shouldTellAllThatIsWrongAndChangeNothing() throws IOException {
    assertEquals(
        BrokerStatus.INVALID, ask(Verb.PUT, "classes", "bad", "{\"r_max\": -1}").outcome());
    assertEquals(
        BrokerStatus.CREATED, ask(Verb.PUT, "classes", "early", "{\"rate\": 1}").outcome());
    assertEquals(PlanState.NONE, desk.plan().state());
    assertEquals(BrokerStatus.GONE, ask(Verb.DELETE, "classes", "early", "").outcome());
    BrokerResponse early = sla("a", 1);
    assertEquals(BrokerStatus.INVALID, early.outcome());
    assertTrue(early.detail().contains("model"), early::detail);
    BrokerResponse unserved = ask(Verb.PUT, "model", "", MODEL);
    assertEquals(BrokerStatus.INVALID, unserved.outcome());
    setUp();
    for (String wrong :
        List.of(
            "{\"class\": \"std\"}",
            "{\"class\": \"std\", \"rate\": 0}",
            "{\"class\": \"gold\", \"rate\": 1}",
            "{\"class\": \"std\", \"rate\": 1, \"rat\": 1}",
            "{\"class\": \"std\", \"rate\": 1, \"id\": \"b\"}",
            "{\"class\": \"std\", \"rate\": 1, \"until\": \"2029-01-01T00:00:00Z\"}",
            "{\"class\": \"std\", \"rate\": 1, \"from\": \"tomorrow\"}",
            """
            {"class": "std", "rate": 1, "from": "2030-02-01T00:00:00Z",
             "until": "2030-02-01T00:00:00Z"}\
            """,
            "[]",
            "{")) {
      BrokerResponse brokerResponse = ask(Verb.PUT, "slas", "a", wrong);
      assertEquals(BrokerStatus.INVALID, brokerResponse.outcome(), wrong);
      assertTrue(brokerResponse.detail().startsWith("expected "), brokerResponse::detail);
    }
    assertEquals(BrokerStatus.INVALID, ask(Verb.PUT, "slas", "a b", "{}").outcome());
    assertEquals(
        BrokerStatus.INVALID, ask(Verb.PUT, "classes", "new", "{\"r_max\": -1}").outcome());
    assertEquals(0, json(ask(Verb.GET, "slas", "", "")).path("items").size());
  }

  @Test
  void shouldPublishWhichClassesAreNotServed() throws IOException {
    setUp();
    String greater = "{\"price\": 5, \"importance\": 9, \"rate\": 10}";
    assertEquals(BrokerStatus.CREATED, ask(Verb.PUT, "classes", "gold", greater).outcome());
    sla("a", 8);
    assertEquals(Map.of(), table().served());
    ask(Verb.DELETE, "services", "sky", "");
    assertEquals(PlanState.RELAXED, desk.plan().state());
    assertEquals(Map.of("std", 0.0), table().served(), "ten of eighteen fit, all of them gold");
    assertEquals(Set.of("gold"), table().bindings().keySet());
    assertEquals("std", table().defaultClass(), "nobody else is made gold by it");
    long version = table().version();
    open();
    assertEquals(version, table().version());

    service("sky", 0.1, "");
    assertEquals(Map.of(), table().served());
    assertEquals(PlanState.OPTIMAL, desk.plan().state());
  }

  private static final ProcessNode TRIP =
      new ProcessNode.Choice(
          "way",
          List.of(new ProcessNode.Task("flights"), new ProcessNode.Task("ships")),
          List.of(0.25, 0.75));

  private JsonNode behaviour() throws IOException {
    return json(ask(Verb.GET, "behaviour", "", ""));
  }

  @Test
  void shouldPlanForWhatIsDeployedAndKnowItAfterARestart() throws IOException {
    assertEquals("none", behaviour().path("source").asText());
    desk.onDeployment(TRIP, List.of("test/trip/1.0.0"));
    assertEquals(PlanState.NONE, desk.plan().state(), "nobody serves it");
    assertEquals("none", behaviour().path("source").asText());
    service("sky", 0.1, "");
    ask(Verb.PUT, "classes", "std", "{\"rate\": 1, \"price\": 5, \"usage\": {\"gone\": {}}}");
    assertEquals(PlanState.OPTIMAL, desk.plan().state(), desk.plan()::toString);
    assertEquals(0.25 * 0.1, desk.plan().classes().getFirst().response(), 1e-9);
    assertEquals("[\"ships\"]", behaviour().path("unserved").toString());
    assertEquals("[\"test/trip/1.0.0\"]", behaviour().path("definitions").toString());
    assertEquals(
        "{\"flights\":0.25}", behaviour().path("classes").path("std").path("visits").toString());

    ask(
        Verb.PUT,
        "services",
        "sea",
        """
        {"serves": ["ships"], "endpoint": "http://127.0.0.1:1/sea", "idempotent": true,
         "r": 0.2, "d": 0.99, "c": 1}\
        """);
    millis.addAndGet(1_000);
    desk.tick();
    assertEquals(0.25 * 0.1 + 0.75 * 0.2, desk.plan().classes().getFirst().response(), 1e-9);
    assertEquals(Set.of("flights", "ships"), bound());

    open();
    assertEquals(Set.of("flights", "ships"), bound());
    assertEquals(PlanState.OPTIMAL, desk.plan().state());
    assertEquals("deployed", behaviour().path("source").asText());
    desk.onDeployment(new ProcessNode.Task("ships"), List.of("test/trip/2.0.0"));
    assertEquals(Set.of("ships"), bound(), "replaced");
    long version = desk.plan().version();
    desk.onDeployment(new ProcessNode.Task("ships"), List.of("test/trip/2.0.0"));
    assertEquals(version, desk.plan().version(), "nothing is new");
    desk.onDeployment(new ProcessNode.Sequence(List.of()), List.of());
    assertEquals("none", behaviour().path("source").asText(), "retired");
  }

  private Set<String> bound() throws IOException {
    return table().bindings().getOrDefault("std", Map.of()).keySet();
  }

  @Test
  void shouldPlanForARegisteredModelBeforeWhatIsDeployed() throws IOException {
    setUp();
    sla("a", 8);
    desk.onDeployment(TRIP, List.of("test/trip/1.0.0"));
    assertEquals(Set.of("flights"), bound());
    JsonNode told = json(ask(Verb.GET, "decisions", "", "")).path("items").path(0);
    assertEquals("DEPLOYED test/trip/1.0.0", told.path("change").asText());
    assertEquals("kept", told.path("outcome").asText());
    assertTrue(told.path("reason").asText().contains("registered model"), told::toString);
    assertEquals("registered", behaviour().path("source").asText());

    BrokerResponse left = ask(Verb.PUT, "model", "", "{\"defaultClass\": \"std\"}");
    assertEquals(BrokerStatus.OK, left.outcome(), left::toString);
    assertEquals("deployed", behaviour().path("source").asText(), "without a process in it");
    assertEquals(
        0.25, behaviour().path("classes").path("std").path("visits").path("flights").asDouble());
  }

  @Test
  void shouldHonourConditionsAndRepetitions() {
    setUp();
    BrokerResponse made = sla("a", 2);
    assertEquals(BrokerStatus.OK, sla("a", 2).outcome());
    assertEquals(made.etag(), sla("a", 2).etag());
    assertEquals(1, desk.plan().version(), "the same again makes no plan");
    BrokerRequest changed =
        new BrokerRequest(
            Verb.PUT, "slas", "a", "\"other\"", null, "{\"class\":\"std\",\"rate\":3}");
    assertEquals(BrokerStatus.PRECONDITION_FAILED, desk.handle(changed).outcome());
    BrokerRequest known =
        new BrokerRequest(
            Verb.PUT, "slas", "a", made.etag(), null, "{\"class\":\"std\",\"rate\":3}");
    assertEquals(BrokerStatus.OK, desk.handle(known).outcome());
    assertEquals(
        BrokerStatus.PRECONDITION_FAILED, desk.handle(known).outcome(), "it has changed since");
    BrokerRequest fresh =
        new BrokerRequest(Verb.PUT, "slas", "a", null, "*", "{\"class\":\"std\",\"rate\":3}");
    assertEquals(BrokerStatus.PRECONDITION_FAILED, desk.handle(fresh).outcome());
    BrokerResponse shown = ask(Verb.GET, "slas", "a", "");
    BrokerRequest again = new BrokerRequest(Verb.GET, "slas", "a", null, shown.etag(), "");
    assertEquals(BrokerStatus.UNCHANGED, desk.handle(again).outcome());
  }

  @Test
  void shouldPlanByWhatIsValidAndRelaxWhenContractsCannotBeKept() throws IOException {
    setUp();
    sla("a", 15);
    long before = desk.plan().version();
    assertEquals(BrokerStatus.OK, ask(Verb.WITHDRAW, "services", "sky", "").outcome());
    assertEquals(PlanState.RELAXED, desk.plan().state(), desk.plan()::reason);
    assertTrue(desk.plan().version() > before);
    assertEquals(BrokerStatus.NOT_ADMITTED, sla("b", 1).outcome());

    assertEquals(BrokerStatus.OK, service("sky", 0.1, "").outcome());
    assertEquals(PlanState.OPTIMAL, desk.plan().state());

    assertEquals(
        BrokerStatus.OK, service("sky", 0.1, ",\"until\":\"2030-01-01T01:00:00Z\"").outcome());
    desk.tick();
    assertEquals(PlanState.OPTIMAL, desk.plan().state());
    millis.addAndGet(Duration.ofHours(1).toMillis());
    desk.tick();
    assertEquals(PlanState.RELAXED, desk.plan().state(), "it has expired");

    ask(Verb.DELETE, "services", "sea", "");
    assertEquals(PlanState.LAST_GOOD, desk.plan().state(), "nobody serves the task");
  }

  @Test
  void shouldPlanOnceASecondInAStormOfChanges() throws IOException {
    setUp();
    sla("a", 8);
    long before = desk.plan().version();
    for (int i = 1; i <= 100; i++) {
      assertEquals(BrokerStatus.OK, service("sky", 0.1 + i * 1e-4, "").outcome());
    }
    assertEquals(before + 1, desk.plan().version(), "the first one at once");
    assertEquals(0.11, json(ask(Verb.GET, "services", "sky", "")).path("r").asDouble(), 1e-9);

    desk.tick();
    assertEquals(before + 1, desk.plan().version(), "the others wait");
    millis.addAndGet(60_000);
    desk.tick();
    assertEquals(before + 2, desk.plan().version(), "and are planned for together");
    assertEquals("service sky", desk.plan().cause());
    assertEquals(0.11, table().registry().service("sky").orElseThrow().promise().response(), 1e-9);
    desk.tick();
    assertEquals(before + 2, desk.plan().version(), "nothing waits any more");
  }

  @Test
  void shouldPlanAtOnceForWhoHasGoneAlsoInAStorm() throws IOException {
    setUp();
    sla("a", 15);
    service("sky", 0.11, "");
    service("sky", 0.12, "");
    long before = desk.plan().version();
    assertEquals(BrokerStatus.OK, ask(Verb.WITHDRAW, "services", "sky", "").outcome());
    assertEquals(before + 1, desk.plan().version());
    assertEquals(PlanState.RELAXED, desk.plan().state());
  }

  @Test
  void shouldEndContractsInTime() throws IOException {
    setUp();
    String document = "{\"class\":\"std\",\"rate\":5,\"until\":\"2030-01-01T00:00:10Z\"}";
    assertEquals(BrokerStatus.CREATED, ask(Verb.PUT, "slas", "a", document).outcome());
    millis.addAndGet(10_000);
    desk.tick();
    assertEquals(BrokerStatus.NOT_FOUND, ask(Verb.GET, "slas", "a", "").outcome());
    assertEquals(PlanState.NONE, desk.plan().state());
  }

  @Test
  void shouldKnowEverythingAfterARestartAndReplaceADamagedTable() throws IOException {
    setUp();
    sla("a", 8);
    sla("a", 9);
    long version = desk.plan().version();
    open();
    assertEquals(version, desk.plan().version(), "the same table");
    assertEquals(PlanState.OPTIMAL, desk.plan().state());
    assertEquals(BrokerStatus.OK, ask(Verb.GET, "slas", "a", "").outcome());

    Path table = new BrokerFolder(data).table();
    Files.write(table, "garbage".getBytes(StandardCharsets.UTF_8));
    desk.tick();
    assertEquals(version + 1, desk.plan().version());
    assertNotNull(BrokerFolder.read(table, RegistryReader.MAX_BYTES));

    Files.write(table, new byte[0]);
    open();
    assertTrue(desk.plan().version() > version + 1, "no replica has a newer one");
  }

  @Test
  void shouldTellPlansAndDecisionsOfTheProcessesBefore() throws IOException {
    setUp();
    sla("a", 8);
    JsonNode plans = json(ask(Verb.GET, "plans", "", "")).path("items");
    JsonNode decisions = json(ask(Verb.GET, "decisions", "", "")).path("items");
    assertEquals("PUT slas/a", decisions.path(0).path("change").asText());
    open();
    JsonNode later = json(ask(Verb.GET, "plans", "", "")).path("items");
    assertEquals(plans.size() + 1, later.size(), "the one at the start is new");
    assertEquals(plans.path(0), later.path(1));
    assertEquals(decisions, json(ask(Verb.GET, "decisions", "", "")).path("items"));
    List<Fact.DocumentSaved> saved =
        memory.latest(Fact.DocumentSaved.class, each -> each.name().equals("contracts"), 1);
    assertEquals(files().contracts().version(), saved.getFirst().version());
    assertTrue(saved.getFirst().document().contains("\"rate\":8"), saved::toString);
  }

  @Test
  void shouldTellTheLatestPlansAndDecisionsOnly() {
    setUp();
    for (int i = 0; i <= AuditLog.MAX_DECISIONS; i++) {
      ask(Verb.PUT, "slas", "bad", "{}");
    }
    assertEquals(
        AuditLog.MAX_DECISIONS,
        ask(Verb.GET, "decisions", "", "").body().split("\"change\"", -1).length - 1);
  }

  @Test
  void shouldNeverPromiseTogetherWhatCannotBeKept() throws Exception {
    long seed = Long.getLong("pinion.seed", 20_301_101L);
    System.out.println("BrokerServiceTest seed " + seed);
    setUp();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> clients = new ArrayList<>();
      for (int client = 0; client < 4; client++) {
        Random random = new Random(seed + client);
        clients.add(threads.submit(() -> client(random)));
      }
      int refused = 0;
      for (Future<Integer> each : clients) {
        refused += each.get();
      }
      assertTrue(refused > 0, "they asked for more than there is");
    }
    Contracts contracts = files().contracts();
    assertInstanceOf(OptimisationResult.Optimal.class, solved(contracts));
  }

  /** Requests contracts and returns some; returns the number of refusals. */
  private int client(Random random) {
    int refused = 0;
    for (int i = 0; i < 25; i++) {
      String id = "c" + random.nextInt(8);
      if (random.nextInt(4) == 0) {
        ask(Verb.DELETE, "slas", id, "");
      } else if (sla(id, 0.1 + 6 * random.nextDouble()).outcome() == BrokerStatus.NOT_ADMITTED) {
        refused++;
      }
    }
    return refused;
  }

  private BrokerRepository files() {
    return new BrokerRepository(
        new BrokerFolder(data), new RegistryReader(_ -> null), clock, KnowledgeBase.NONE);
  }

  private OptimisationResult solved(Contracts contracts) throws IOException {
    ProblemReading problemReading =
        new ProblemBuilder(ProblemLimits.defaults())
            .make(contracts, files().registry(), Instant.ofEpochMilli(millis.get()));
    BrokerProblem problem =
        assertInstanceOf(ProblemReading.ValidProblem.class, problemReading).problem();
    return new Optimizer(SOLVER).optimise(problem);
  }
}
