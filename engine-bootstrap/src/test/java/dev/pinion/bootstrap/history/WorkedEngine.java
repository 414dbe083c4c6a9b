package dev.pinion.bootstrap.history;

import static org.awaitility.Awaitility.await;

import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.DirectoryDefinitionStore;
import dev.pinion.core.engine.Engine;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.SafeStoreSettings;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.InstanceObserver;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An engine in this process with its data in a folder, and all reported actions of its kernel. */
final class WorkedEngine implements AutoCloseable {
  static final String STEPS =
      """
      document: { dsl: '1.0.0', namespace: test, name: steps, version: '1.0.0' }
      do:
        - first: { set: { n: '${ .n + 1 }' } }
        - maybe: { if: '${ .n > 5 }', set: { n: 0 } }
        - both:
            fork:
              branches:
                - left: { set: { l: '${ .n }' } }
                - right: { wait: { milliseconds: 5 } }
        - guarded:
            try:
              - bad: { raise: { error: { type: 'https://example.com/e', status: 400 } } }
            catch:
              do:
                - repaired: { set: { ok: true } }
      """;

  static final String NAPS =
      """
      document: { dsl: '1.0.0', namespace: test, name: naps, version: '1.0.0' }
      do:
        - nap: { wait: { hours: 1 } }
      """;

  static final String CALLS =
      """
      document: { dsl: '1.0.0', namespace: test, name: calls, version: '1.0.0' }
      do:
        - call: { call: http, with: { method: get, endpoint: '${ .url }' } }
      """;

  static final String FAULTS =
      """
      document: { dsl: '1.0.0', namespace: test, name: faults, version: '1.0.0' }
      do:
        - bad: { raise: { error: { type: 'https://example.com/e', status: 400, detail: '${ .detail }' } } }
      """;

  static final String ECHO =
      """
      document: { dsl: '1.0.0', namespace: test, name: echo, version: '1.0.0' }
      do:
        - same: { set: '${ . }' }
      """;

  static final String COUNTS =
      """
      document: { dsl: '1.0.0', namespace: test, name: counts, version: '1.0.0' }
      do:
        - loop:
            for: { each: i, in: '${ [range(300)] }' }
            do:
              - add: { set: { n: '${ .n + $i }' } }
      """;

  static final String FAMILY =
      """
      document: { dsl: '1.0.3', namespace: test, name: family, version: '1.0.0' }
      do:
        - child: { run: { workflow: { namespace: test, name: steps, input: { n: 1 } } } }
        - other:
            run: { workflow: { namespace: test, name: faults, input: { detail: no } }, await: false }
      """;

  final Queue<HistoryEvent> happenings = new ConcurrentLinkedQueue<>();
  private final Engine engine;
  private final HttpClient client = HttpClient.newHttpClient();

  WorkedEngine(Path data, EngineLimits limits, History history) throws IOException {
    DefinitionRegistry registry =
        new DefinitionRegistry(limits, new DirectoryDefinitionStore(data.resolve("definitions")));
    for (String yaml : List.of(STEPS, NAPS, CALLS, COUNTS, ECHO, FAULTS, FAMILY)) {
      byte[] source = yaml.getBytes(StandardCharsets.UTF_8);
      DefinitionCatalog.Deployment deployed =
          registry.deploy(source, "application/yaml", null, false);
      if (deployed instanceof DefinitionCatalog.Deployment.Invalid invalid) {
        throw new AssertionError(invalid.problems().toString());
      }
    }
    this.engine =
        Engine.start(
            EngineSettings.of(registry)
                .withLimits(limits)
                .withObserver(new Observer())
                .withHistory(history)
                .withSafeStore(
                    new SafeStoreSettings(
                        Durability.SYNC, data.resolve("journal").resolve("0"), failure -> {})));
  }

  /** Sends a request with further header fields, names and values in turn. */
  HttpResponse<String> send(String method, String path, String body, String... fields)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).header("content-type", "application/json");
    if (fields.length > 0) {
      request.headers(fields);
    }
    return client.send(
        request
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Starts an instance; it has ended when this returns. */
  InstanceId start(String definition, String body) throws IOException, InterruptedException {
    return id(send("POST", "/v1/namespaces/test/definitions/" + definition + "/instances", body));
  }

  /** Starts an instance that sleeps; it does so when this returns. */
  InstanceId startSleeper() throws IOException, InterruptedException {
    String path = "/v1/namespaces/test/definitions/naps/instances";
    InstanceId id = id(send("POST", path, "{}", "prefer", "respond-async"));
    await().until(() -> send("GET", "/v1/instances/" + id, "").body().contains("\"WAITING\""));
    return id;
  }

  /** Reruns an ended instance; the new one has ended when this returns. */
  InstanceId rerun(InstanceId id) throws IOException, InterruptedException {
    HttpResponse<String> answer = send("POST", "/v1/instances/" + id + "/rerun", "");
    InstanceId another = id(answer);
    client.send(
        HttpRequest.newBuilder(uri("/v1/instances/" + another)).header("prefer", "wait=10").build(),
        HttpResponse.BodyHandlers.discarding());
    return another;
  }

  private static InstanceId id(HttpResponse<String> answer) {
    String id = answer.body().replaceFirst("(?s).*?\"id\":\"(i_[0-9a-z]+)\".*", "$1");
    return InstanceId.parse(id).orElseThrow(() -> new AssertionError(answer.body()));
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + engine.address().getPort() + path);
  }

  List<HistoryEvent> happenings(InstanceId id) {
    return happenings.stream().filter(event -> event.id().equals(id)).toList();
  }

  @Override
  public void close() {
    engine.close();
    client.close();
  }

  private final class Observer implements InstanceObserver {
    @Override
    public void onTaskEntered(InstanceId id, String pointer, String name) {}

    @Override
    public boolean observesAll() {
      return true;
    }

    @Override
    public void onEvent(HistoryEvent event) {
      happenings.add(event);
    }
  }
}
