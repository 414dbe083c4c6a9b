package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.DirectoryDefinitionStore;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Durability;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.partition.SlotAssignment;
import dev.pinion.core.partition.StartPolicy;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.ListenSpec;
import dev.pinion.core.settings.SafeStoreSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Engines in one process that are neighbours, each with a separate entrance. */
public final class TestReplicas implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

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

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Engine> engines = new ArrayList<>();
  private final List<ReplicaGroup> places = new ArrayList<>();
  private final BitSet stopped = new BitSet();
  private final Path directory;
  private int version;

  private final EngineLimits limits;
  private final Queue<IOException> failures = new ConcurrentLinkedQueue<>();

  private TestReplicas(Path directory, EngineLimits limits) {
    this.directory = directory;
    this.limits = limits.with(SMALL_FILES);
  }

  public static TestReplicas start(Path directory, int count, StartPolicy policy)
      throws IOException {
    return start(directory, count, policy, EngineLimits.defaults());
  }

  public static TestReplicas start(
      Path directory, int count, StartPolicy policy, EngineLimits limits) throws IOException {
    Files.createDirectories(directory);
    TestReplicas testReplicas = new TestReplicas(directory, limits);
    try {
      for (int slot = 0; slot < count; slot++) {
        testReplicas.places.add(new ReplicaGroup(slot, count, directory, policy));
        testReplicas.engines.add(testReplicas.engine(slot));
      }
    } catch (IOException | RuntimeException e) {
      testReplicas.close(); // started engines hold files that the next attempt needs
      throw e;
    }
    for (ReplicaGroup place : testReplicas.places) {
      place.setServing(IntStream.range(0, count).boxed().collect(Collectors.toSet()));
    }
    return testReplicas;
  }

  /** Slots for a number of replicas, of which only the first serve. */
  public static TestReplicas startFirst(
      Path directory, int slots, int count, StartPolicy policy, EngineLimits limits)
      throws IOException {
    TestReplicas testReplicas = new TestReplicas(directory, limits);
    for (int slot = 0; slot < slots; slot++) {
      testReplicas.places.add(new ReplicaGroup(slot, slots, directory, policy));
    }
    testReplicas.assign(IntStream.range(0, slots).map(slot -> slot < count ? slot : 0).toArray());
    for (int slot = 0; slot < count; slot++) {
      testReplicas.engines.add(testReplicas.engine(slot));
    }
    testReplicas.tellServing();
    return testReplicas;
  }

  private void tellServing() {
    Set<Integer> serving =
        IntStream.range(0, engines.size())
            .filter(slot -> !stopped.get(slot))
            .boxed()
            .collect(Collectors.toSet());
    places.forEach(place -> place.setServing(serving));
  }

  /** Notifies all replicas of the holders of slots. */
  public void assign(int... holders) {
    version++;
    SlotAssignment told = new SlotAssignment(version, IntStream.of(holders).boxed().toList());
    places.forEach(place -> place.assign(told));
  }

  /** Waits until every partition is where it was last assigned, and admits clients. */
  public void awaitSettled() throws IOException {
    for (int slot = 0; slot < engines.size(); slot++) {
      Engine engine = engines.get(slot);
      if (!stopped.get(slot)) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(engine::isSettled);
        assertTrue(engine.openToClients(), "an engine without its slot");
      }
    }
  }

  /** Starts the next slot that has had no engine yet, or a stopped one. */
  public void join(int slot) throws IOException {
    if (slot == engines.size()) {
      engines.add(engine(slot));
    } else {
      restart(slot);
    }
    tellServing();
  }

  /** Stops a replica, in order, and notifies the others. */
  public void leave(int slot) {
    stop(slot);
    tellServing();
  }

  private Engine engine(int slot) throws IOException {
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    DefinitionRegistry registry =
        new DefinitionRegistry(
            limits, new DirectoryDefinitionStore(directory.resolve("definitions")));
    return Engine.start(
        EngineSettings.of(registry)
            .withLimits(limits)
            .withSafeStore(
                new SafeStoreSettings(
                    Durability.SYNC,
                    directory.resolve("journal").resolve(Integer.toString(slot)),
                    failure -> failures.add(failure)))
            .withListen(new ListenSpec(free, ListenSpec.AcceptMode.DIRECT, places.get(slot))));
  }

  public void stop(int slot) {
    if (!stopped.get(slot)) {
      stopped.set(slot);
      engines.get(slot).close();
    }
  }

  public void restart(int slot) throws IOException {
    engines.set(slot, engine(slot));
    stopped.clear(slot);
  }

  public void drain(int slot) {
    engines.get(slot).drain();
  }

  public long running(int slot) {
    return engines.get(slot).running();
  }

  public void awaitRunning(int slot, long instances) {
    await().atMost(PATIENCE).until(() -> running(slot) == instances);
  }

  public HttpResponse<String> deploy(int slot, String yaml) throws Exception {
    return send(
        request(slot, "/v1/definitions")
            .header("Content-Type", "application/yaml")
            .POST(HttpRequest.BodyPublishers.ofString(yaml)));
  }

  public HttpResponse<String> delete(int slot, String path) throws Exception {
    return send(request(slot, path).DELETE());
  }

  public HttpResponse<String> post(int slot, String path, String body) throws Exception {
    return send(
        request(slot, path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  public HttpResponse<String> postWith(int slot, String path, String field, String value)
      throws Exception {
    return postAsync(slot, path, field, value).get();
  }

  /**
   * Posts JSON.
   *
   * @param fields alternating names and values
   */
  public HttpResponse<String> postWith(int slot, String path, String body, String... fields)
      throws Exception {
    return postAsync(slot, path, body, fields).get();
  }

  public CompletableFuture<HttpResponse<String>> postAsync(
      int slot, String path, String body, String... fields) {
    return sendAsync(
        request(slot, path)
            .header("Content-Type", "application/json")
            .headers(fields)
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  public CompletableFuture<HttpResponse<String>> postAsync(
      int slot, String path, String field, String value) {
    return sendAsync(
        request(slot, path).header(field, value).POST(HttpRequest.BodyPublishers.noBody()));
  }

  public HttpResponse<String> get(int slot, String path) throws Exception {
    return send(request(slot, path));
  }

  public CompletableFuture<HttpResponse<String>> getWith(
      int slot, String path, String field, String value) {
    return sendAsync(request(slot, path).header(field, value));
  }

  private HttpRequest.Builder request(int slot, String path) {
    String base = "http://127.0.0.1:" + engines.get(slot).address().getPort();
    return HttpRequest.newBuilder(URI.create(base + path)).timeout(PATIENCE);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return sendAsync(request).get();
  }

  private CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
    return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    for (int slot = 0; slot < engines.size(); slot++) {
      stop(slot);
    }
    client.close();
    if (!failures.isEmpty()) {
      throw new AssertionError("journals failed: " + failures);
    }
  }
}
