package dev.pinion.broker.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.monitor.ObservationCollector;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.Fact;
import dev.pinion.broker.registry.PlanInForce;
import dev.pinion.broker.registry.PlanState;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallObserver;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The control loop driven by hand: a clock set by tests, scripted calls, each as long as its
 * service takes, distributed by the plan in force.
 */
class ControlLoopTest {
  private static final BindingTable TABLE = new BindingTable(1, "std", Map.of("std", Map.of()));

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final VerifiedSolver SOLVER =
      VerifiedSolver.ofOrTools(Clock.system(), Duration.ofSeconds(10));
  private static final int RATE = 100;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  @TempDir private Path data;
  private final AtomicLong millis =
      new AtomicLong(Instant.parse("2030-01-01T00:00:00Z").toEpochMilli());
  private final ObservationCollector observationCollector = new ObservationCollector(() -> TABLE);
  private final CallObserver observer = observationCollector.observer();
  private final Map<String, Double> times = new TreeMap<>();
  private final Map<String, Boolean> alive = new TreeMap<>();
  private final Map<String, Integer> probes = new TreeMap<>();
  private final RememberedFacts memory = new RememberedFacts();
  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return millis.get() * 1_000_000;
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

  private BrokerService desk;

  @BeforeEach
  void open() throws IOException {
    openAgain();
    service("sea", 0.15, 1);
    service("sky", 0.1, 2);
    service("sun", 0.2, 3);
    made("model", "", "{\"process\": {\"type\": \"task\", \"task\": \"flights\"}}");
    made("classes", "std", "{\"r_max\": 0.25, \"price\": 9}");
    made("slas", "a", "{\"class\": \"std\", \"rate\": " + RATE + "}");
  }

  /** Opens it again, like a process after another one, however that ended. */
  private void openAgain() throws IOException {
    desk =
        BrokerService.open(
            new BrokerFolder(data), new RegistryReader(_ -> null), SOLVER, clock, memory);
  }

  private void service(String id, double time, double cost) {
    times.put(id, time);
    alive.put(id, true);
    made(
        "services",
        id,
        """
        {"serves": ["flights"], "endpoint": "http://127.0.0.1:1/%s", "idempotent": true,
         "r": %s, "d": 0.99, "c": %s}\
        """
            .formatted(id, time, cost));
  }

  private void made(String collection, String id, String body) {
    assertEquals(
        BrokerStatus.CREATED,
        desk.handle(new BrokerRequest(Verb.PUT, collection, id, null, null, body)).outcome());
  }

  /** Lets seconds of calls, probes and turns pass. */
  private void pass(int seconds) throws IOException {
    for (int second = 0; second < seconds; second++) {
      shares().forEach(this::call);
      String batch = ObservationJson.batch(observationCollector.take());
      BrokerRequest told =
          new BrokerRequest(Verb.PUT, BrokerService.OBSERVATIONS, "0", null, null, batch);
      assertEquals(BrokerStatus.OK, desk.handle(told).outcome());
      probe();
      millis.addAndGet(1_000);
      desk.tick();
    }
  }

  private void probe() {
    desk.probe(
        services -> {
          services.forEach(each -> probes.merge(each.id(), 1, Integer::sum));
          return services.stream()
              .collect(
                  Collectors.toMap(
                      RegisteredService::id, each -> alive.getOrDefault(each.id(), false)));
        });
  }

  /** Calls a service; calls of a dead one are not answered, and have not failed yet. */
  private void call(String service, double fraction) {
    if (!alive.getOrDefault(service, false)) {
      return;
    }
    for (int i = 0; i < Math.round(fraction * RATE); i++) {
      long nanos = (long) (times.getOrDefault(service, 0.0) * NANOS_PER_SECOND);
      observer.begun(null);
      observer.invoked("flights", null);
      observer.called(service, null, nanos, i % RATE > 0);
      observer.ended(null, nanos / 1_000_000, i % RATE > 0);
    }
  }

  /** Shares of the calls under the plan in force, by service. */
  private Map<String, Double> shares() {
    Map<String, Double> shares = new HashMap<>();
    for (Share share :
        desk.plan().classes().getFirst().shares().getOrDefault("flights", List.of())) {
      ConcreteService first = share.implementation().services().getFirst();
      shares.merge(first.id(), share.fraction(), Double::sum);
    }
    return shares;
  }

  private List<JsonNode> adaptations() throws IOException {
    BrokerRequest brokerRequest = new BrokerRequest(Verb.GET, "decisions", "", null, null, "");
    List<JsonNode> found = new ArrayList<>();
    JSON.readTree(desk.handle(brokerRequest).body())
        .path("items")
        .forEach(
            each -> {
              if (each.has("causes")) {
                found.addFirst(each);
              }
            });
    return found;
  }

  private List<JsonNode> adaptationsNow() {
    try {
      return adaptations();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isTold(String rule, String subject, String outcome) {
    return adaptationsNow().stream()
        .anyMatch(
            each -> names(each, rule, subject) && each.path("outcome").asText().equals(outcome));
  }

  private static boolean names(JsonNode decision, String rule, String subject) {
    for (JsonNode cause : decision.path("causes")) {
      if (cause.path("rule").asText().equals(rule)
          && cause.path("subject").asText().equals(subject)) {
        return true;
      }
    }
    return false;
  }

  private double mean() {
    return shares().entrySet().stream()
        .mapToDouble(each -> each.getValue() * times.getOrDefault(each.getKey(), 0.0))
        .sum();
  }

  @Test
  void shouldKeepBoundsThemselvesWhereNoReserveCanBeKept() throws IOException {
    alive.putAll(Map.of("sky", false, "sun", false));
    times.put("sea", 0.248);

    pass(30);

    assertEquals(PlanState.OPTIMAL, desk.plan().state(), () -> "" + desk.plan());
    double predicted = desk.plan().classes().getFirst().response();
    assertTrue(predicted > (1 - Planner.RESERVE) * 0.25 && predicted <= 0.25, () -> "" + shares());
    assertTrue(isTold("service-time", "sea", "adopted"), () -> "" + adaptationsNow());
  }

  @Test
  void shouldFollowServicesThatSlowDownDieAndReturnAndSayWhy() throws IOException {
    assertEquals(Map.of("sea", 1.0), shares(), "the cheapest that is fast enough");
    pass(60);
    assertEquals(List.of(), adaptations(), "nothing has changed, nothing is done");

    times.put("sea", 0.45);
    pass(30);
    assertTrue(mean() <= 1.03 * 0.25, () -> "after 30 s: " + shares());
    assertTrue(shares().getOrDefault("sky", 0.0) > 0.5, () -> "" + shares());
    List<JsonNode> slow = adaptations();
    assertTrue(names(slow.getFirst(), "service-time", "sea"), slow::toString);
    assertTrue(
        slow.stream().anyMatch(each -> each.path("outcome").asText().equals("adopted")),
        slow::toString);

    pass(20);
    double predicted = desk.plan().classes().getFirst().response();
    assertEquals((1 - Planner.RESERVE) * 0.25, predicted, 0.002, "bound less reserve");
    alive.put("sky", false);
    pass(2);
    assertFalse(isTold("service-down", "sky", "repaired"), "two probes are not enough");
    PlanInForce before = desk.plan();
    probe();
    PlanInForce repaired = desk.plan();
    assertEquals(PlanState.REPAIRED, repaired.state());
    assertEquals(before.version() + 1, repaired.version(), "at once, before anything is solved");
    assertFalse(
        Files.readString(new BrokerFolder(data).table())
            .replaceAll("\\s", "")
            .contains("[\"sky\"],\"fraction\""));
    assertFalse(shares().containsKey("sky"), "nor in the plan that is shown");
    double shown = repaired.classes().getFirst().response();
    assertEquals(mean(), shown, 0.01, "what it is worth without sky");
    pass(2);
    assertEquals(PlanState.OPTIMAL, desk.plan().state());
    assertFalse(shares().containsKey("sky"));
    assertTrue(mean() <= 1.03 * 0.25, () -> "" + shares());
    assertTrue(isTold("service-down", "sky", "repaired"), () -> "" + adaptationsNow());
    assertTrue(isTold("service-down", "sky", "adopted"), () -> "" + adaptationsNow());

    alive.put("sky", true);
    pass(7);
    assertTrue(shares().containsKey("sky"), () -> "" + shares());
    assertTrue(isTold("service-up", "sky", "adopted"), () -> "" + adaptationsNow());
    JsonNode last = adaptations().getLast();
    assertTrue(
        last.path("before").path("version").asLong() < last.path("after").path("version").asLong());
  }

  @Test
  void shouldRememberHowServicesDidEachMinute() throws IOException {
    pass(59);
    assertEquals(List.of(), memory.observations("sea", 9));
    pass(62);

    List<Fact.Observation> seen = memory.observations("sea", 9);
    assertEquals(2, seen.size(), seen::toString);
    Fact.Observation first = seen.getLast();
    assertEquals("std", first.serviceClass());
    assertEquals(60 * RATE, first.calls());
    assertEquals(60, first.failures(), "one in a hundred");
    assertEquals(0.15, first.meanSeconds(), 1e-9);
    assertEquals(List.of(), memory.observations("sky", 9), "nobody called it");
  }

  @Test
  void shouldKeepAPlanThatIsGoodEnough() throws IOException {
    long version = desk.plan().version();
    times.put("sea", 0.12);
    pass(40);

    assertEquals(version, desk.plan().version());
    List<JsonNode> decisions = adaptations();
    assertTrue(decisions.size() >= 1, decisions::toString);
    assertTrue(
        decisions.stream().allMatch(each -> each.path("outcome").asText().equals("kept")),
        decisions::toString);
  }

  @Test
  void shouldGiveAServiceThatIsNotCalledAnotherChance() throws IOException {
    times.put("sea", 200.0);
    pass(5);
    assertTrue(shares().getOrDefault("sea", 0.0) < 0.005, () -> "" + shares());
    times.put("sea", 0.15);
    pass(590);
    assertFalse(isTold("service-unproven", "sea", "adopted"), "not yet");
    pass(20);

    assertTrue(isTold("service-unproven", "sea", "adopted"), () -> "" + adaptationsNow());
    assertTrue(shares().getOrDefault("sea", 0.0) > 0.9, () -> "" + shares());
  }

  @Test
  void shouldBeginAnewWithAServiceThatIsBack() throws IOException {
    times.put("sea", 200.0);
    pass(5);
    assertTrue(shares().getOrDefault("sea", 0.0) < 0.005, () -> "" + shares());
    alive.put("sea", false);
    pass(4);
    assertFalse(shares().containsKey("sea"));
    times.put("sea", 0.15);
    alive.put("sea", true);
    pass(7);

    assertEquals(Map.of("sea", 1.0), shares(), "its promise counts, not how it died");
    assertTrue(isTold("service-up", "sea", "adopted"), () -> "" + adaptationsNow());
  }

  @Test
  void shouldDecideAboutContractsByPromisesAndPlanByWhatIsKnown() throws IOException {
    alive.put("sea", false);
    pass(5);
    assertFalse(shares().containsKey("sea"));
    made("slas", "b", "{\"class\": \"std\", \"rate\": 5}");

    assertFalse(shares().containsKey("sea"), "admission plans with sea, the table does not");
    assertEquals(PlanState.OPTIMAL, desk.plan().state());
  }

  @Test
  void shouldProbeOnlyWhomNoAnsweredCallVouchedFor() throws IOException {
    assertEquals(Map.of("sea", 1.0), shares());
    pass(10);
    assertEquals(Map.of("sky", 10, "sun", 10), probes, "sea answers calls");

    alive.put("sea", false);
    pass(3);
    assertEquals(Map.of("sea", 3, "sky", 13, "sun", 13), probes);
    assertTrue(isTold("service-down", "sea", "repaired"), () -> "" + adaptationsNow());

    alive.put("sea", true);
    pass(5);
    assertEquals(8, probes.get("sea"), "nobody calls it");
    assertTrue(isTold("service-up", "sea", "adopted"), () -> "" + adaptationsNow());
    pass(2);
    assertEquals(8, probes.get("sea"), "it is called again");
  }

  @Test
  void shouldCountAnsweredCallsAsProbes() throws IOException {
    alive.put("sea", false);
    pass(2);
    alive.put("sea", true);
    pass(1);
    alive.put("sea", false);
    pass(2);
    assertFalse(isTold("service-down", "sea", "repaired"), "never three in a row");
    pass(1);
    assertTrue(isTold("service-down", "sea", "repaired"), () -> "" + adaptationsNow());
  }

  @Test
  void shouldNameEachOfSeveralServicesForWhichAConditionHolds() throws IOException {
    alive.put("sea", false);
    alive.put("sun", false);
    pass(3);

    List<JsonNode> repaired =
        adaptations().stream()
            .filter(each -> each.path("outcome").asText().equals("repaired"))
            .toList();
    assertEquals(1, repaired.size(), "both at once");
    assertTrue(names(repaired.getFirst(), "service-down", "sea"), repaired::toString);
    assertTrue(names(repaired.getFirst(), "service-down", "sun"), repaired::toString);
    assertEquals(Map.of("sky", 1.0), shares());
    JsonNode solved = adaptations().getLast();
    assertTrue(names(solved, "service-down", "sea"), solved::toString);
    assertTrue(names(solved, "service-down", "sun"), solved::toString);
  }

  @Test
  void shouldBeginWithWhatTheProcessBeforeItKnew() throws IOException {
    times.put("sea", 0.45);
    alive.put("sky", false);
    pass(30);
    Map<String, Double> before = shares();
    assertFalse(before.containsKey("sky"), before::toString);
    assertTrue(before.getOrDefault("sun", 0.0) > 0.5, before::toString);

    openAgain();

    assertEquals(before.keySet(), shares().keySet(), "who is dead is not called again");
    assertEquals(
        before.getOrDefault("sun", 0.0),
        shares().getOrDefault("sun", 1.0),
        1e-9,
        "nor more of who is slow");
    pass(20);
    assertFalse(shares().containsKey("sky"), () -> "" + shares());
    alive.put("sky", true);
    pass(7);
    assertTrue(shares().containsKey("sky"), () -> "it is back: " + shares());
  }

  @Test
  void shouldBeginWithPromisesWhereWhatWasKnownIsDamagedAndSaySo() throws IOException {
    times.put("sea", 0.45);
    pass(30);
    Path known = new BrokerFolder(data).calibration();
    Files.writeString(known, Files.readString(known).replace("sea", "sae"));

    openAgain();

    assertEquals(Map.of("sea", 1.0), shares());
    String told = desk.handle(new BrokerRequest(Verb.GET, "decisions", "", null, null, "")).body();
    assertTrue(told.contains("observations of services are lost"), told);
    pass(30);
    assertTrue(mean() <= 1.03 * 0.25, () -> "after 30 s: " + shares());
  }
}
