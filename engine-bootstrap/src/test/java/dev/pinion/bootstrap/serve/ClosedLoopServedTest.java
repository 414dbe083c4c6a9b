package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.PinionMain;
import dev.pinion.bootstrap.serve.ClassedLoad.Request;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The control loop of the broker, closed over a served engine and services that slow down, die and
 * return while clients of several classes start instances.
 */
@EnabledOnOs(OS.LINUX)
class ClosedLoopServedTest {
  private static final String FLIES =
      """
      document: { dsl: '1.0.0', namespace: test, name: flies, version: '1.0.0' }
      do:
        - ask:
            call: http
            with: { method: post, endpoint: 'svc://flights/search', body: { to: x } }
      """;

  /** The process of the model, whose loops run as often as clients draw. */
  private static final String TRIP =
      """
      document: { dsl: '1.0.0', namespace: test, name: trip, version: '1.0.0' }
      do:
        - search:
            call: http
            with: { method: post, endpoint: 'svc://search/x', body: {} }
        - refine:
            for: { each: offer, in: '${ $workflow.input.quotes }' }
            do:
              - quote:
                  call: http
                  with: { method: post, endpoint: 'svc://quote/x', body: {} }
        - book:
            fork:
              branches:
                - room:
                    call: http
                    with: { method: post, endpoint: 'svc://hotel/x', body: {} }
                - way:
                    do:
                      - fly:
                          call: http
                          with: { method: post, endpoint: 'svc://flight/x', body: {} }
                      - car:
                          for: { each: offer, in: '${ $workflow.input.rentals }' }
                          do:
                            - rent:
                                call: http
                                with: { method: post, endpoint: 'svc://rental/x', body: {} }
        - settle:
            call: http
            with: { method: post, endpoint: 'svc://pay/x', body: {} }
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Factor on rates and service times of the reference case. With more requests in a window its
   * mean is more precise.
   */
  private static final int SCALE = Integer.getInteger("pinion.scale", 8);

  /** Requests/s: together they invoke about 6 · 36 = 216 services a second, times the scale. */
  private static final Map<String, Double> RATES =
      new TreeMap<>(Map.of("platinum", 8.0 * SCALE, "gold", 12.0 * SCALE, "silver", 16.0 * SCALE));

  /** Seconds until flows are calibrated. */
  private static final int WARM_UP = 60;

  /** Seconds for the loop after an event, and length of a window. */
  private static final int WINDOW = 30;

  private static final int FIRST_PHASE = Integer.getInteger("pinion.phase", 600);
  private static final int LATER_PHASE =
      Math.max(2 * WINDOW, Integer.getInteger("pinion.phase", 90));

  private static final int STEP = 5;

  /** Tolerance on the promised mean time of a class. */
  private static final double TOLERANCE = 1.03;

  private static final double ERRORS = 3;

  @TempDir private Path data;
  private final Map<String, ScriptedService> services = new TreeMap<>();

  @AfterEach
  void stopServices() {
    services.values().forEach(ScriptedService::close);
  }

  private void register(ServedEngine engine, String id, String serves, JsonNode promise)
      throws IOException {
    double time = promise.path("r").asDouble();
    double reliability = promise.path("d").asDouble();
    ScriptedService service = new ScriptedService(time, reliability, id.hashCode());
    services.put(id, service);
    ObjectNode document = new ObjectMapper().createObjectNode();
    document.putArray("serves").add(serves);
    document.put("endpoint", service.endpoint()).put("idempotent", true);
    document.put("r", time).put("d", reliability).set("c", promise.path("c"));
    if (promise.has("load")) {
      document.put("load", SCALE * promise.path("load").asDouble());
    }
    put(engine, "services/" + id, document.toString());
  }

  private static void put(ServedEngine engine, String path, String body) throws IOException {
    ServedEngine.Answer answer =
        ServedEngine.ask(
            "PUT",
            engine.uri().resolve("/v1/broker/" + path),
            body,
            "Content-Type",
            "application/json");
    assertEquals(201, answer.status(), answer::toString);
  }

  private ServedEngine start() throws IOException {
    ServedEngine engine = ServedEngine.start(data, "--replicas", "sosoa:2:1", "--broker", "on");
    await().atMost(PATIENCE).until(() -> engine.get("/v1/broker/plan").status() == 200);
    return engine;
  }

  private static void untilAllHaveTheTable(ServedEngine engine) throws IOException {
    long version = engine.get("/v1/broker/plan").json().path("version").asLong();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              for (JsonNode each : engine.replicaStates()) {
                if (each.path("lastBeat").path("bindingVersion").asLong() < version) {
                  return false;
                }
              }
              return true;
            });
  }

  /** Output of {@code broker explain} for people. */
  private static String explain(ServedEngine engine) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] command = {
      "broker", "explain", "--url", engine.uri().resolve("/").toString(), "--last", "256"
    };
    int status = PinionMain.run(command, new PrintWriter(out, true), new PrintWriter(err, true));
    assertEquals(0, status, err::toString);
    return out.toString();
  }

  @Test
  @Tag("long")
  void shouldGoOnElsewhereWhenAServiceDiesAndSayWhy() throws Exception {
    try (ServedEngine engine = start()) {
      JsonNode sky = new ObjectMapper().readTree("{\"r\": 0.002, \"d\": 0.9, \"c\": 1}");
      JsonNode sea = new ObjectMapper().readTree("{\"r\": 0.002, \"d\": 1, \"c\": 2}");
      register(engine, "sky", "flights", sky);
      register(engine, "sea", "flights", sea);
      put(engine, "model", "{\"process\": {\"type\": \"task\", \"task\": \"flights\"}}");
      put(engine, "classes/std", "{\"d_min\": 0.99, \"price\": 5}");
      put(engine, "slas/first", "{\"class\": \"std\", \"rate\": 40}");
      engine.post("/v1/definitions", "application/yaml", FLIES);
      untilAllHaveTheTable(engine);
      // So few calls that probes, not failures, show the death of a service.
      try (ClassedLoad load = new ClassedLoad(engine, "test/definitions/flies")) {
        load.send("std", 10, 1, _ -> "{\"labels\": {\"pinion.class\": \"std\"}}");
        await().atMost(PATIENCE).until(() -> service("sky").calls() > 5);
        service("sky").die();
        await().atMost(PATIENCE).until(() -> explain(engine).contains("sky, service-down"));
        untilAllHaveTheTable(engine);
        long repaired = System.nanoTime();
        int before = service("sea").calls();
        await().atMost(PATIENCE).until(() -> service("sea").calls() > before + 5);
        List<Request> answered = load.end();
        // Requests on their way at the death of the service may have failed with it.
        List<Request> after = answered.stream().filter(each -> each.nanos() >= repaired).toList();
        assertFalse(after.isEmpty());
        assertTrue(after.stream().allMatch(Request::success), after::toString);
      }
      String told = explain(engine);
      assertTrue(told.contains("adaptation: repaired, plan "), told);
      assertTrue(
          told.contains("because of sky, service-down: 3 probes in a row were not answered"), told);
      assertTrue(told.contains("without sky, not solved again yet"), told);
    }
  }

  private ScriptedService service(String id) {
    ScriptedService service = services.get(id);
    if (service == null) {
      throw new AssertionError("expected a service " + id + ", found none");
    }
    return service;
  }

  @Test
  @Tag("long")
  void shouldKeepTheBoundsOfATripPlannerWhateverBecomesOfServices() throws Exception {
    Path cases = Path.of(System.getProperty("pinion.broker", ""), "cases");
    assumeTrue(
        Files.isDirectory(cases),
        () -> "skipped: no " + cases + "; name the folder of the cases by -Dpinion.broker");
    JsonNode problem =
        new ObjectMapper().readTree(cases.resolve("open-12-trip-planner.json").toFile());
    Map<String, JsonNode> classes = new TreeMap<>();
    problem.path("classes").forEach(each -> classes.put(each.path("id").asText(), each));
    classes.keySet().retainAll(RATES.keySet());
    List<String> broken = new ArrayList<>();
    try (ServedEngine engine = start();
        ClassedLoad load = new ClassedLoad(engine, "test/definitions/trip")) {
      agree(engine, problem, classes);
      engine.post("/v1/definitions", "application/yaml", TRIP);
      untilAllHaveTheTable(engine);
      for (Map.Entry<String, Double> each : RATES.entrySet()) {
        String name = each.getKey();
        load.send(name, each.getValue(), name.hashCode(), random -> body(name, random));
      }
      pass(WARM_UP);

      long begun = System.nanoTime();
      pass(FIRST_PHASE);
      double tightest = tightest(engine, classes);
      assertTrue(tightest >= 0.97, () -> "predicted of the bound: " + tightest);
      pass(5); // responses of the last requests
      check(load, classes, begun, FIRST_PHASE, "steady", broken);

      service("hotel1").slowDown(3);
      phase(load, classes, "hotel1 slows down", broken);
      service("quote1").die();
      phase(load, classes, "quote1 dies", broken);
      service("quote1").comeBack();
      phase(load, classes, "quote1 returns", broken);
      String told = explain(engine);
      System.out.println(told);
      for (String step :
          List.of(
              "because of platinum, flows: ",
              "because of hotel1, service-time: ",
              "because of quote1, service-down: ",
              "because of quote1, service-up: ")) {
        assertTrue(told.contains(step), step + " in " + told);
      }
    }
    assertEquals(List.of(), broken);
  }

  private void agree(ServedEngine engine, JsonNode problem, Map<String, JsonNode> classes)
      throws IOException {
    Map<String, JsonNode> promises = new TreeMap<>();
    problem.path("services").forEach(each -> promises.put(each.path("id").asText(), each));
    for (JsonNode task : problem.path("tasks")) {
      for (JsonNode id : task.path("services")) {
        JsonNode promise = promises.getOrDefault(id.asText(), id);
        register(engine, id.asText(), task.path("id").asText(), promise);
      }
    }
    ObjectNode model = new ObjectMapper().createObjectNode();
    model.set("process", problem.path("process"));
    model.set("options", problem.path("options"));
    put(engine, "model", model.toString());
    for (Map.Entry<String, JsonNode> each : classes.entrySet()) {
      ObjectNode document = each.getValue().deepCopy();
      document.remove(List.of("id", "rate"));
      put(engine, "classes/" + each.getKey(), document.toString());
      put(
          engine,
          "slas/" + each.getKey(),
          "{\"class\": \"" + each.getKey() + "\", \"rate\": " + RATES.get(each.getKey()) + "}");
    }
  }

  private static String body(String serviceClass, Random random) {
    int quotes = 1 + (random.nextDouble() < 0.4 ? 1 : 0);
    int rentals = random.nextDouble() < 0.6 ? 1 : 0;
    return """
    {"labels": {"pinion.class": "%s"}, "input": {"quotes": %s, "rentals": %s}}\
    """
        .formatted(serviceClass, quotes == 1 ? "[1]" : "[1, 2]", rentals == 0 ? "[]" : "[1]");
  }

  /** Largest predicted time of a class, as a fraction of its bound. */
  private static double tightest(ServedEngine engine, Map<String, JsonNode> classes)
      throws IOException {
    JsonNode plan = engine.get("/v1/broker/plan").json();
    return classes.entrySet().stream()
        .mapToDouble(
            each ->
                plan.path("classes").path(each.getKey()).path("R").asDouble()
                    / each.getValue().path("r_max").asDouble())
        .max()
        .orElse(0);
  }

  private static void pass(int seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Runs a phase, and checks its windows: each begins after the longest time of the loop. */
  private static void phase(
      ClassedLoad load, Map<String, JsonNode> classes, String event, List<String> broken) {
    long begun = System.nanoTime();
    pass(LATER_PHASE + 10); // also responses of the last requests, which may be slow
    for (int at = WINDOW; at + WINDOW <= LATER_PHASE; at += STEP) {
      long from = begun + TimeUnit.SECONDS.toNanos(at);
      check(load, classes, from, WINDOW, event + ", from " + at + " s", broken);
    }
  }

  /** Compares the results of requests in a period with the bounds of their classes. */
  private static void check(
      ClassedLoad load,
      Map<String, JsonNode> classes,
      long begun,
      int seconds,
      String when,
      List<String> broken) {
    long end = begun + TimeUnit.SECONDS.toNanos(seconds);
    List<Request> all =
        load.answered().stream()
            .filter(each -> each.nanos() >= begun && each.nanos() < end)
            .toList();
    classes.forEach(
        (name, bounds) -> {
          List<Request> own =
              all.stream().filter(each -> each.serviceClass().equals(name)).toList();
          Had had = Had.of(own);
          double bound = bounds.path("r_max").asDouble();
          double least = Math.log(bounds.path("d_min").asDouble());
          // A window of 30 s has so few requests that its mean has an error of 1 to 2 %.
          double chance = seconds > WINDOW ? 0 : ERRORS * had.meanError;
          boolean kept =
              had.mean <= TOLERANCE * bound + chance && had.log + ERRORS * had.logError >= least;
          String line =
              String.format(
                  Locale.ROOT,
                  "%s: %s, %d requests, mean %.3f s (error %.3f) of %.3f s = %.3f,"
                      + " lnD %.5f (error %.5f), at least %.5f%s",
                  when,
                  name,
                  own.size(),
                  had.mean,
                  had.meanError,
                  bound,
                  had.mean / bound,
                  had.log,
                  had.logError,
                  least,
                  kept ? "" : " BROKEN");
          System.out.println(line);
          if (!kept) {
            broken.add(line);
          }
        });
  }

  /** Means and logarithms of reliability of requests, with standard errors. */
  private record Had(double mean, double meanError, double log, double logError) {
    static Had of(List<Request> requests) {
      double count = requests.size();
      double mean = requests.stream().mapToDouble(Request::seconds).average().orElse(Double.NaN);
      double squares =
          requests.stream().mapToDouble(each -> each.seconds() - mean).map(x -> x * x).sum();
      double failed = requests.stream().filter(each -> !each.success()).count();
      double rate = (failed + 1) / (count + 2);
      return new Had(
          mean,
          Math.sqrt(squares) / count,
          Math.log(1 - failed / count),
          Math.sqrt(rate / (1 - rate) / (count + 2)));
    }
  }
}
