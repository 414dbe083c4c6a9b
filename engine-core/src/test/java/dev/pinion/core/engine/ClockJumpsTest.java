package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.DirectoryDefinitionStore;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.SafeStoreSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A wall clock that is set by an hour, a day and a year both ways, while an engine runs and while
 * it is down: no timer fires early by the monotonic clock, none is lost, no id is used twice, and
 * keys of starts are still known.
 */
class ClockJumpsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int NEVER = 1 << 30;
  private static final int[] WAITS_MILLIS = {150, 500, 1_500};
  private static final int STARTS_BETWEEN_JUMPS = 9;
  private static final Map<String, Integer> SMALL_FILES =
      Map.of(
          "journal.segmentBytes",
          1 << 20,
          "invoker.maxResponseBytes",
          1 << 16,
          "request.maxBodyBytes",
          1 << 18,
          "definition.maxBytes",
          1 << 18,
          "kernel.maxRetryBytes",
          1 << 18);

  @TempDir private Path directory;

  private final JumpingClock clock = new JumpingClock();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Sleeper> sleepers = new ArrayList<>();
  private final Map<InstanceId, Long> wokenNanos = new ConcurrentHashMap<>();
  private final Queue<IOException> failures = new ConcurrentLinkedQueue<>();

  /** The system's clocks, but the wall clock is set wrong. */
  private static final class JumpingClock implements Clock {
    private final Clock system = Clock.system();
    private volatile long offMillis;

    void set(Duration off) {
      offMillis = off.toMillis();
    }

    @Override
    public long nanoTime() {
      return system.nanoTime();
    }

    @Override
    public long epochMillis() {
      return system.epochMillis() + offMillis;
    }

    @Override
    public String scale() {
      return system.scale();
    }
  }

  /**
   * An instance that sleeps.
   *
   * @param key of its start
   * @param askedNanos time before its start was requested
   */
  private record Sleeper(String key, InstanceId id, int waitMillis, long askedNanos) {}

  @AfterEach
  void close() {
    client.close();
  }

  /**
   * @param closeLogBytes bytes of a journal from which a snapshot is made when its engine is closed
   */
  @ParameterizedTest
  @ValueSource(ints = {NEVER, 1})
  void shouldWakeNobodyEarlyHoweverTheWallClockIsSet(int closeLogBytes) throws Exception {
    long seed = Long.getLong("pinion.seed", System.nanoTime());
    System.out.println("seed " + seed);
    List<Duration> jumps = jumps(new Random(seed));
    Engine engine = open(closeLogBytes);
    try {
      deploy(engine);
      for (Duration jump : jumps) {
        start(engine);
        clock.set(jump);
        start(engine);
        repeat(engine);
        engine.close();
        clock.set(jump.negated());
        engine = open(closeLogBytes);
        start(engine);
        repeat(engine);
      }
      awaitEnds(engine);
    } finally {
      engine.close();
    }
    check();
  }

  /** Every jump twice, in random order. */
  private static List<Duration> jumps(Random random) {
    List<Duration> each =
        Stream.of(Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(365))
            .flatMap(jump -> Stream.of(jump, jump.negated()))
            .toList();
    List<Duration> all = new ArrayList<>(each);
    all.addAll(each);
    Collections.shuffle(all, random);
    return all;
  }

  private Engine open(int closeLogBytes) throws IOException {
    EngineLimits limits =
        EngineLimits.defaults()
            .with(SMALL_FILES)
            .with(Map.of("journal.closeLogBytes", closeLogBytes));
    DefinitionRegistry registry =
        new DefinitionRegistry(
            limits, new DirectoryDefinitionStore(directory.resolve("definitions")));
    return Engine.start(
        EngineSettings.of(registry)
            .withLimits(limits)
            .withClock(clock)
            .withObserver(this::entered)
            .withSafeStore(
                new SafeStoreSettings(
                    Durability.SYNC, directory.resolve("journal").resolve("0"), failures::add)));
  }

  private void entered(InstanceId id, String pointer, String name) {
    if (name.equals("awake")) {
      wokenNanos.putIfAbsent(id, clock.nanoTime());
    }
  }

  private void deploy(Engine engine) throws Exception {
    for (int wait : WAITS_MILLIS) {
      String yaml =
          String.format(
              Locale.ROOT,
              """
              document: { dsl: '1.0.3', namespace: test, name: sleeper-%1$d, version: '1.0.0' }
              do:
                - sleep:
                    wait: { milliseconds: %1$d }
                - awake:
                    set: { awake: true }
              """,
              wait);
      HttpResponse<String> deployed =
          send(
              request(engine, "/v1/definitions")
                  .header("Content-Type", "application/yaml")
                  .POST(HttpRequest.BodyPublishers.ofString(yaml)));
      assertEquals(201, deployed.statusCode(), deployed.body());
    }
  }

  private void start(Engine engine) throws Exception {
    for (int i = 0; i < STARTS_BETWEEN_JUMPS; i++) {
      int wait = WAITS_MILLIS[i % WAITS_MILLIS.length];
      String key = "key-" + sleepers.size();
      long askedNanos = clock.nanoTime();
      sleepers.add(new Sleeper(key, ask(engine, key, wait), wait, askedNanos));
    }
  }

  /** Sends the newest starts again. */
  private void repeat(Engine engine) throws Exception {
    int size = sleepers.size();
    for (Sleeper each : sleepers.subList(size - STARTS_BETWEEN_JUMPS, size)) {
      assertEquals(each.id(), ask(engine, each.key(), each.waitMillis()), each.key());
    }
  }

  private InstanceId ask(Engine engine, String key, int wait) throws Exception {
    HttpResponse<String> answer =
        send(
            request(engine, "/v1/namespaces/test/definitions/sleeper-" + wait + "/instances")
                .header("Idempotency-Key", key)
                .header("Prefer", "respond-async")
                .POST(HttpRequest.BodyPublishers.noBody()));
    assertTrue(Set.of(202, 409).contains(answer.statusCode()), answer::body);
    return InstanceId.parse(json(answer).path("id").asText()).orElseThrow();
  }

  private void awaitEnds(Engine engine) {
    for (Sleeper each : sleepers) {
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                HttpResponse<String> shown =
                    send(request(engine, "/v1/instances/" + each.id()).GET());
                assertEquals(200, shown.statusCode(), shown.body());
                return json(shown).path("state").asText().equals("COMPLETED");
              });
    }
  }

  private void check() {
    Set<InstanceId> ids = new HashSet<>();
    int early = 0;
    for (Sleeper each : sleepers) {
      assertTrue(ids.add(each.id()), () -> "given twice: " + each.id());
      long slept = wokenNanos.getOrDefault(each.id(), each.askedNanos()) - each.askedNanos();
      early += slept < TimeUnit.MILLISECONDS.toNanos(each.waitMillis()) ? 1 : 0;
    }
    System.out.printf("%d timers, %d of them early, none lost%n", ids.size(), early);
    assertEquals(0, early, "early");
    assertEquals(List.of(), List.copyOf(failures), "failures of the journal");
  }

  private static HttpRequest.Builder request(Engine engine, String path) {
    URI base = URI.create("http://127.0.0.1:" + engine.address().getPort());
    return HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body());
  }
}
