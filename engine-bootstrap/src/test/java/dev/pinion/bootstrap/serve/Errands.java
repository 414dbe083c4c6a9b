package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Instances with children, listeners, tokens and compensations during faults of the engine, and
 * clients that approve, cancel, suspend, resume, retry and rerun them. Each has its fate by its
 * number.
 *
 * <pre>
 *   reserve ──▶ child: pack, wait, packed ──▶ child that nobody awaits: notify
 *                                                  │
 *   told ◀── ship ◀── approved, by a client ◀──────┘
 *              └─ refused, or cancelled ──▶ unpack ──▶ release
 * </pre>
 */
final class Errands implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int CLIENTS = 8;

  /** Errands that a client has under way: one of each fate. */
  private static final int TOGETHER = Fate.values().length;

  private static final String DEFINITION = "errand";

  /** What becomes of an errand. */
  enum Fate {
    /** It is approved and completes. */
    APPROVED,
    /** It is approved and refused, so that it compensates and faults. */
    REFUSED,
    /** It is cancelled at some moment. */
    CANCELLED,
    /** It is suspended, approved meanwhile, and resumed. */
    SUSPENDED;

    static Fate of(int n) {
      return values()[n % values().length];
    }

    boolean completes() {
      return this == APPROVED || this == SUSPENDED;
    }
  }

  /**
   * What a client knows of an errand that has ended.
   *
   * @param mayShipNanos time before the request that lets it be shipped; the maximum for none
   * @param compensated number of tasks that were compensated
   */
  record Ended(int n, String id, long mayShipNanos, int compensated) {
    Fate fate() {
      return Fate.of(n);
    }
  }

  private final ErrandServices services;
  private final PatientClient client;
  private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
  private final AtomicInteger last = new AtomicInteger(-1);
  private final Map<Integer, Ended> ended = new ConcurrentHashMap<>();
  private final AtomicInteger retried = new AtomicInteger();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final String collector;
  private volatile boolean over;

  /** Deploys the definitions and has the collector listen to all that is told. */
  Errands(PatientClient client, ErrandServices services) throws IOException {
    this.client = client;
    this.services = services;
    for (String document : ErrandDocuments.all(services.url())) {
      client.deploy(document);
    }
    this.collector = client.start("collector", 0);
  }

  /** Lets clients begin errands. */
  void begin() {
    for (int i = 0; i < CLIENTS; i++) {
      clients.execute(
          () -> {
            try {
              while (!over) {
                runTogether(last.getAndAdd(TOGETHER) + 1);
              }
            } catch (Throwable e) {
              failures.add(e);
            }
          });
    }
  }

  private void runTogether(int first) {
    List<String> ids = new ArrayList<>();
    for (int n = first; n < first + TOGETHER; n++) {
      ids.add(client.start(DEFINITION, n));
    }
    String flaky = client.start("flaky", first);
    List<Long> mayShipNanos = new ArrayList<>();
    for (int n = first; n < first + TOGETHER; n++) {
      mayShipNanos.add(meddle(n, ids.get(n - first)));
    }
    for (int n = first; n < first + TOGETHER; n++) {
      String id = ids.get(n - first);
      int compensated = compensated(n, client.ended(id));
      checkChildren(id);
      ended.put(n, new Ended(n, id, mayShipNanos.get(n - first), compensated));
    }
    retryAndRerun(first, flaky);
  }

  /** Does to an errand what its fate is; returns the time before what lets it be shipped. */
  private long meddle(int n, String id) {
    return switch (Fate.of(n)) {
      case APPROVED, REFUSED -> {
        long nanos = System.nanoTime();
        client.event("approved", n);
        yield nanos;
      }
      case CANCELLED -> {
        client.control(id, "cancellation");
        yield Long.MAX_VALUE;
      }
      case SUSPENDED -> {
        client.control(id, "suspension");
        client.event("approved", n);
        long nanos = System.nanoTime();
        client.control(id, "resumption");
        yield nanos;
      }
    };
  }

  /** Checks the end of an errand; returns how many tasks were compensated. */
  private static int compensated(int n, JsonNode end) {
    JsonNode compensation = end.path("compensation");
    assertEquals(0, compensation.path("failed").asInt(), end::toString);
    int compensated = compensation.path("compensated").asInt();
    String state = end.path("state").asText();
    switch (Fate.of(n)) {
      case APPROVED, SUSPENDED -> {
        assertEquals("COMPLETED", state, end::toString);
        assertEquals(n, end.path("output").path("n").asInt(-1), end::toString);
      }
      case REFUSED -> {
        assertEquals("FAULTED", state, end::toString);
        assertEquals(409, end.path("error").path("status").asInt(), end::toString);
        assertEquals(2, compensated, end::toString);
      }
      case CANCELLED -> assertEquals("CANCELLED", state, end::toString);
    }
    return compensated;
  }

  /** An instance that faults, is retried once the service is repaired, and run again as another. */
  private void retryAndRerun(int n, String id) {
    JsonNode end = client.ended(id);
    assertEquals("FAULTED", end.path("state").asText(), end::toString);
    services.repair(n);
    client.retry(id);
    String again = client.rerun(id, "again-" + n);
    assertNotEquals(id, again);
    assertEquals("COMPLETED", client.ended(again).path("state").asText());
    retried.incrementAndGet();
  }

  /** Waits until so many more errands have ended. */
  void awaitEnded(int more) {
    int goal = ended.size() + more;
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .atMost(PATIENCE)
        .until(() -> ended.size() >= goal || !failures.isEmpty());
    assertTrue(failures.isEmpty(), failures::toString);
  }

  /** Ends all errands, and checks that each had its fate, with every step once. */
  void check() throws InterruptedException {
    over = true;
    clients.shutdown();
    assertTrue(clients.awaitTermination(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS), "clients");
    assertTrue(failures.isEmpty(), failures::toString);
    int count = last.get() + 1;
    assertEquals(
        IntStream.range(0, count).boxed().toList(),
        List.copyOf(new TreeMap<>(ended).keySet()),
        "acknowledged errands that have ended");
    checkTold(count);
    ErrandCheck check = new ErrandCheck(services.calls());
    ended.values().forEach(check::check);
    check.checkRetriedAndRerun(retried.get());
    assertEquals(List.of(), services.wrong(), "calls without a token");
    System.out.printf(
        "%d errands of %s, each with its end; %d retried and rerun; %d calls, %d of them repeated;"
            + " %d tokens, %d calls refused for them; %d events of clients repeated; none lost,"
            + " none twice, none early%n",
        count,
        List.of(Fate.values()),
        retried.get(),
        services.calls().size(),
        check.repeated(),
        services.tokens(),
        services.unauthorized(),
        client.repeatedEvents());
  }

  /** Each errand that completes has told that once. */
  private void checkTold(int count) {
    client.event("stop", 0);
    JsonNode end = client.ended(collector);
    assertEquals("COMPLETED", end.path("state").asText(), end::toString);
    List<Integer> told = new ArrayList<>();
    end.path("output").forEach(n -> told.add(n.asInt()));
    told.sort(null);
    assertEquals(
        IntStream.range(0, count).filter(n -> Fate.of(n).completes()).boxed().toList(),
        told,
        "each told once");
  }

  /**
   * At most one child for each task that runs one. Lists leave out what a replica does not hold any
   * more; {@link ErrandCheck} shows by the calls that none is missing.
   */
  private void checkChildren(String id) {
    List<String> children =
        client.list("parent=" + id).stream()
            .map(child -> child.path("definition").path("name").asText())
            .toList();
    assertEquals(children.size(), Set.copyOf(children).size(), () -> "children: " + children);
    assertTrue(Set.of("pack", "notify").containsAll(children), () -> "children: " + children);
  }

  @Override
  public void close() {
    over = true;
    clients.shutdownNow();
  }
}
