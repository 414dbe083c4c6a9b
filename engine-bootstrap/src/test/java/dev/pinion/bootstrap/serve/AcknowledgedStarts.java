package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.CallLog.Call;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Clients that start instances while something happens to the engine, and note what they were told;
 * at the end their notes are held against what the services saw and what the engine tells.
 *
 * <pre>
 *   clients ── starts ──▶ engine ✗ ── first call ── wait ── second call ──▶ services
 * </pre>
 */
final class AcknowledgedStarts implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration RETRY = Duration.ofMillis(20);
  private static final int CLIENTS = 4;

  /** How long an instance sleeps between its calls, unless it is said. */
  private static final long SLEEP_MILLIS = 1_500;

  /** How long a call is under way. */
  private static final long CALL_MILLIS = 150;

  /** Instances under way when something happens, at least. */
  private static final int LEAST_LIVE = 50;

  private final Supplier<ServedEngine> engine;
  private final String padding;
  private final long sleepMillis;
  private final CallLog services = new CallLog(CALL_MILLIS);
  private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
  private final AtomicInteger lastStart = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
  private volatile boolean over;
  private int faults;
  private int liveAtFaults;

  /**
   * A start that was answered.
   *
   * @param number in its input and its key
   * @param id the instance
   * @param nanos when
   */
  private record Acknowledged(int number, String id, long nanos) {}

  /**
   * Deploys what is started; begins nothing.
   *
   * @param engine the engine that serves now
   * @param inputChars size of inputs
   */
  AcknowledgedStarts(Supplier<ServedEngine> engine, int inputChars) throws IOException {
    this(engine, inputChars, SLEEP_MILLIS);
  }

  /**
   * Deploys what is started; begins nothing.
   *
   * @param engine the engine that serves now
   * @param inputChars size of inputs
   * @param sleepMillis how long an instance sleeps between its calls
   */
  AcknowledgedStarts(Supplier<ServedEngine> engine, int inputChars, long sleepMillis)
      throws IOException {
    this.engine = engine;
    this.sleepMillis = sleepMillis;
    this.padding = "x".repeat(inputChars);
    String document =
        """
        document: {dsl: 1.0.3, namespace: test, name: slow, version: 1.0.0}
        do:
          - first: {call: http, with: {method: post, endpoint: %1$s/first, body: {n: '${ .n }'}}}
          - sleep: {wait: {milliseconds: %2$d}}
          - second:
              call: http
              with: {method: post, endpoint: %1$s/second, body: {first: '${ .number }'}}
          - end: {set: {second: '${ .number }'}}
        """
            .formatted(services.url(), sleepMillis);
    Answer deployed = engine.get().post("/v1/definitions", "application/yaml", document);
    assertEquals(201, deployed.status(), deployed.body());
  }

  /** Lets clients start instances, each under a key and again until it is answered. */
  void begin() {
    for (int i = 0; i < CLIENTS; i++) {
      clients.execute(
          () -> {
            while (!over) {
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

  /** Whether a start was acknowledged: as begun, or as begun by an attempt without an answer. */
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

  /** Starts that were answered 507 so far. */
  int refused() {
    return refused.get();
  }

  /** Starts that were acknowledged so far. */
  int count() {
    return acknowledged.size();
  }

  /** Waits until so many more are acknowledged and enough are under way, then notes a fault. */
  void awaitFault(int more) {
    int before = acknowledged.size();
    await()
        .pollInterval(RETRY)
        .atMost(PATIENCE)
        .until(() -> acknowledged.size() >= before + more && asleep() > LEAST_LIVE);
    noteFault();
  }

  /** Takes note that something happens now. */
  void noteFault() {
    faults++;
    liveAtFaults += asleep();
  }

  /** Instances that were acknowledged so lately that they sleep still. */
  private int asleep() {
    long since = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(sleepMillis);
    return (int) acknowledged.stream().filter(each -> each.nanos() > since).count();
  }

  /** Ends the load: every start is answered then. */
  void endLoad() throws InterruptedException {
    over = true;
    clients.shutdown();
    assertTrue(clients.awaitTermination(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS), "clients");
  }

  /** Ends the load, waits for every instance and checks everything. */
  void check() throws Exception {
    endLoad();
    Map<String, JsonNode> ends = ends();
    List<Call> calls = services.calls();
    checkStarts(calls);
    Map<String, List<Call>> byKey = new HashMap<>();
    calls.forEach(call -> byKey.computeIfAbsent(call.key(), key -> new ArrayList<>()).add(call));
    Map<Long, Call> byAnswer = new HashMap<>();
    calls.forEach(call -> byAnswer.put(call.answer(), call));
    int repeated = checkRepetitions(byKey);
    for (Call second : calls) {
      if (second.path().equals("/second")) {
        checkSecond(second, byAnswer, byKey);
      }
    }
    for (Map.Entry<String, JsonNode> end : ends.entrySet()) {
      checkEnd(end.getKey(), end.getValue(), byAnswer);
    }
    System.out.printf(
        "%d faults with %d instances asleep, %d acknowledged, %d times without an answer, %d times"
            + " refused for want of room; %d calls, %d of them repeated; none lost%n",
        faults,
        liveAtFaults,
        acknowledged.size(),
        unanswered.get(),
        refused.get(),
        calls.size(),
        repeated);
    assertTrue(liveAtFaults > LEAST_LIVE * faults, "instances asleep at faults: " + liveAtFaults);
  }

  /** How every instance ended that was acknowledged. */
  private Map<String, JsonNode> ends() {
    List<String> lost = new ArrayList<>();
    Map<String, JsonNode> ends = new HashMap<>();
    for (Acknowledged each : acknowledged) {
      String id = each.id();
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () -> {
                Answer shown = engine.get().get("/v1/instances/" + id);
                if (shown.status() == 404) {
                  lost.add(id);
                  return true;
                }
                ends.put(id, shown.json());
                return shown.status() == 200
                    && !List.of("RUNNING", "WAITING").contains(shown.json().path("state").asText());
              });
    }
    assertEquals(List.of(), lost, "acknowledged and lost");
    return ends;
  }

  /** Each key began one instance: the one whose id its client was told. */
  private void checkStarts(List<Call> calls) {
    Map<Integer, String> ids = new HashMap<>();
    acknowledged.forEach(each -> ids.put(each.number(), each.id()));
    assertEquals(lastStart.get(), ids.size(), "starts that were acknowledged");
    for (Call first : calls) {
      if (first.path().equals("/first")) {
        int number = Integer.parseInt(first.body().replaceAll("\\D", ""));
        String told = String.valueOf(ids.get(number));
        assertTrue(first.key().contains(told), () -> told + " was told, found " + first);
      }
    }
  }

  /** A call made again says the same, and that it is made again; returns how many there were. */
  private static int checkRepetitions(Map<String, List<Call>> byKey) {
    int repeated = 0;
    for (List<Call> same : byKey.values()) {
      repeated += same.size() - 1;
      for (int i = 1; i < same.size(); i++) {
        assertTrue(same.get(i).attempt() > same.get(i - 1).attempt(), "attempts of " + same);
        assertEquals(same.getFirst().body(), same.get(i).body(), "the same call");
      }
    }
    return repeated;
  }

  private static void checkEnd(String id, JsonNode end, Map<Long, Call> byAnswer) {
    assertEquals("COMPLETED", end.path("state").asText(), end.toString());
    long answer = end.path("output").path("second").asLong();
    Call second = Objects.requireNonNull(byAnswer.get(answer), end.toString());
    assertTrue(second.key().contains(id), "its own second call");
  }

  /**
   * A second call shows the answer of the first to others: from then on the first is not made
   * again. And it does not come before the sleep is over.
   */
  private void checkSecond(Call second, Map<Long, Call> byAnswer, Map<String, List<Call>> byKey) {
    String text = second.body();
    long number = Long.parseLong(text.replaceAll("\\D", ""));
    Call first = Objects.requireNonNull(byAnswer.get(number), "whose answer is " + text);
    assertEquals("/first", first.path());
    long slept = TimeUnit.NANOSECONDS.toMillis(second.nanos() - first.nanos());
    assertTrue(slept >= sleepMillis + CALL_MILLIS, "early: " + slept + " ms, " + second);
    for (Call again : byKey.getOrDefault(first.key(), List.of())) {
      assertTrue(
          again.nanos() <= second.nanos(), "made again although its answer was visible: " + again);
    }
  }

  @Override
  public void close() {
    over = true;
    clients.shutdownNow();
    services.close();
  }
}
