package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.FaultTally.Acknowledged;
import dev.pinion.bootstrap.serve.FaultTally.Fault;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Clients that start instances during faults of the engine, and record the responses; at the end,
 * their records are compared with those of the services and of the engine.
 *
 * <pre>
 *   clients ── starts ──▶ engine ✗ ── first call ── wait ── second call ──▶ services
 * </pre>
 */
final class AcknowledgedStarts implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration RETRY = Duration.ofMillis(20);

  /** Duration of a call. */
  private static final long CALL_MILLIS = 150;

  /** Least number of instances under way at a fault. */
  private static final int LEAST_LIVE = 50;

  /** Instances that may end between the check and the fault. */
  private static final int SPARE_LIVE = 40;

  private final Supplier<ServedEngine> engine;
  private final Load load;
  private final String padding;
  private final CallLog services = new CallLog(CALL_MILLIS);
  private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
  private final AtomicInteger lastStart = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final ExecutorService clients;
  private final List<Fault> faults = new ArrayList<>();
  private volatile boolean over;

  /**
   * Behaviour of the clients.
   *
   * @param clients number of clients
   * @param mostLive most instances under way; beyond, they wait before they start more
   * @param inputChars size of inputs
   * @param sleepMillis sleep of an instance between its calls
   */
  record Load(int clients, int mostLive, int inputChars, long sleepMillis) {}

  /**
   * Deploys the definitions; starts nothing.
   *
   * @param engine supplies the present serving engine
   */
  AcknowledgedStarts(Supplier<ServedEngine> engine, Load load) throws IOException {
    this.engine = engine;
    this.load = load;
    this.padding = "x".repeat(load.inputChars());
    this.clients = Executors.newFixedThreadPool(load.clients());
    String document =
        String.format(
            Locale.ROOT,
            """
            document: {dsl: 1.0.3, namespace: test, name: slow, version: 1.0.0}
            do:
              - first: {call: http, with: {method: post, endpoint: %1$s/first, body: {n: '${ .n }'}}}
              - sleep: {wait: {milliseconds: %2$d}}
              - second:
                  call: http
                  with: {method: post, endpoint: %1$s/second, body: {first: '${ .number }'}}
              - end: {set: {second: '${ .number }'}}
            """,
            services.url(),
            load.sleepMillis());
    Answer deployed = engine.get().post("/v1/definitions", "application/yaml", document);
    assertEquals(201, deployed.status(), deployed.body());
  }

  /** Lets clients start instances, each with a key and repeatedly until there is a response. */
  void begin() {
    for (int i = 0; i < load.clients(); i++) {
      clients.execute(
          () -> {
            while (!over) {
              await()
                  .pollDelay(Duration.ZERO)
                  .pollInterval(RETRY)
                  .atMost(PATIENCE)
                  .until(() -> over || live() < load.mostLive());
              int number = lastStart.incrementAndGet();
              await()
                  .pollDelay(Duration.ZERO)
                  .pollInterval(RETRY)
                  .atMost(PATIENCE)
                  .until(() -> isStarted(number));
            }
          });
    }
  }

  /** Whether a start was acknowledged: as begun, or as begun by an attempt without a response. */
  private boolean isStarted(int number) {
    try {
      Answer answer =
          ServedEngine.ask(
              "POST",
              engine.get().uri().resolve("/v1/namespaces/test/definitions/slow/instances"),
              "{\"input\":{\"n\":" + number + ",\"padding\":\"" + padding + "\"}}",
              "Content-Type",
              "application/json",
              "Idempotency-Key",
              "\"start-" + number + "\"",
              "Prefer",
              "respond-async");
      boolean known = answer.status() == 202 || answer.status() == 409;
      boolean later = answer.status() == 503 || answer.status() == 507;
      assertTrue(known || later, answer.body());
      if (known) {
        String id = answer.json().path("id").asText();
        acknowledged.add(new Acknowledged(number, id, System.nanoTime()));
      } else if (answer.status() == 507) {
        refused.incrementAndGet();
      }
      return known;
    } catch (IOException e) {
      unanswered.incrementAndGet();
      return false;
    }
  }

  /** Number of starts answered 507 so far. */
  int refused() {
    return refused.get();
  }

  /** Number of starts acknowledged so far. */
  int count() {
    return acknowledged.size();
  }

  /** Waits until this many more are acknowledged and enough are under way. */
  void awaitLive(int more) {
    int before = count();
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(RETRY)
        .atMost(PATIENCE)
        .until(() -> count() >= before + more && live() >= LEAST_LIVE + SPARE_LIVE);
  }

  /** Number of acknowledged instances whose last call has no response, or a few more. */
  private int live() {
    return count() - services.answeredLast();
  }

  /** Records a fault. */
  void note(Fault fault) {
    faults.add(fault);
  }

  /** Ends the load: every start is answered then. */
  void endLoad() throws InterruptedException {
    over = true;
    clients.shutdown();
    assertTrue(clients.awaitTermination(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS), "clients");
  }

  /** Ends the load, waits for every instance and checks everything. */
  FaultTally check() throws Exception {
    return check(Integer.MAX_VALUE);
  }

  /**
   * The same where there is room for a number of results only. The end of an instance without a
   * result is shown by its calls, and by the engine's answer that it has ended.
   *
   * @param results number of the last started instances that must have results
   */
  FaultTally check(int results) throws Exception {
    endLoad();
    Map<Integer, String> ids = new HashMap<>();
    acknowledged.forEach(each -> ids.put(each.number(), each.id()));
    assertEquals(lastStart.get(), ids.size(), "starts that were acknowledged");
    Map<String, JsonNode> ends = ends(results);
    HistoryCheck history = new HistoryCheck(services.calls(), load.sleepMillis() + CALL_MILLIS);
    history.run(ids, ends);
    FaultTally tally = new FaultTally(faults, acknowledged, services);
    System.out.printf(
        "%s; %d acknowledged, %d of them shown with their results, %d times without an answer, %d"
            + " times refused for want of room; %d calls, %d of them repeated; none lost%n",
        tally,
        acknowledged.size(),
        ends.size(),
        unanswered.get(),
        refused.get(),
        services.calls().size(),
        history.repeated());
    assertTrue(faults.isEmpty() || tally.leastLive() >= LEAST_LIVE, tally::toString);
    return tally;
  }

  /** Ends of the acknowledged instances; only older ones may be forgotten. */
  private Map<String, JsonNode> ends(int results) throws IOException {
    List<String> lost = new ArrayList<>();
    Set<String> forgotten = new HashSet<>();
    Map<String, JsonNode> ends = new HashMap<>();
    List<Acknowledged> all = List.copyOf(acknowledged);
    for (int i = 0; i < all.size(); i++) {
      String id = all.get(i).id();
      boolean last = i >= all.size() - (long) results;
      Answer end = end(id);
      switch (end.status()) {
        case 200 -> ends.put(id, end.json());
        case 404 -> lost.add(id);
        case 410 -> assertFalse(last || !forgotten.add(id), () -> "forgotten: " + end.body());
        default -> throw new AssertionError(end.status() + " " + end.body());
      }
    }
    assertEquals(List.of(), lost, "acknowledged and lost");
    services.calls().stream()
        .filter(call -> call.path().equals(CallLog.LAST))
        .forEach(call -> forgotten.remove(call.instance()));
    assertEquals(Set.of(), forgotten, "said to have ended, without a last call");
    return ends;
  }

  /** Answer about an instance as soon as it is not running any more. */
  private Answer end(String id) {
    return await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              Answer shown = engine.get().get("/v1/instances/" + id);
              String state = shown.json().path("state").asText();
              boolean later =
                  shown.status() == 503 || List.of("RUNNING", "WAITING").contains(state);
              return later ? Optional.<Answer>empty() : Optional.of(shown);
            },
            Optional::isPresent)
        .orElseThrow();
  }

  @Override
  public void close() {
    over = true;
    clients.shutdownNow();
    services.close();
  }
}
