package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.events.InMemoryEvents;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.IdleStrategy;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.StageLayout;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A real engine in some layout, called over HTTP, calling a real server. */
final class EngineDriver implements PipelineDriver {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TestServiceServer services;
  private final Engine engine;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> entered;

  private EngineDriver(TestServiceServer services, Engine engine, List<String> entered) {
    this.services = services;
    this.engine = engine;
    this.entered = entered;
  }

  static EngineDriver open(
      String layout, Transport transport, IdleStrategy idleStrategy, EngineLimits limits)
      throws IOException {
    return open(layout, transport, idleStrategy, limits, settings -> settings);
  }

  static EngineDriver open(
      String layout,
      Transport transport,
      IdleStrategy idleStrategy,
      EngineLimits limits,
      UnaryOperator<EngineSettings> change)
      throws IOException {
    List<String> entered = Collections.synchronizedList(new ArrayList<>());
    DefinitionRegistry registry = new DefinitionRegistry(limits, new InMemoryDefinitionStore());
    EngineSettings settings =
        EngineSettings.of(registry)
            .withLimits(limits)
            .withEvents(new InMemoryEvents(limits, Clock.system()))
            .withStageLayout(StageLayout.parse(layout))
            .withTransport(transport)
            .withIdleStrategy(idleStrategy)
            .withObserver((id, pointer, name) -> entered.add(name));
    return new EngineDriver(new TestServiceServer(), Engine.start(change.apply(settings)), entered);
  }

  String base() {
    return "http://127.0.0.1:" + engine.address().getPort();
  }

  Engine engine() {
    return engine;
  }

  @Override
  public InstanceView run(String yaml, Payload input, TestService testService) throws Exception {
    services.serve(testService);
    entered.clear();
    DefinitionKey key = deploy(yaml.replace(SERVICES, services.base()));
    String path =
        "/v1/namespaces/%s/definitions/%s/versions/%s/instances"
            .formatted(key.namespace(), key.name(), key.version());
    HttpResponse<String> response = post(path, "application/json", "{\"input\":" + input + "}");
    assertEquals(200, response.statusCode(), response.body());
    return view(key, JSON.readTree(response.body()));
  }

  private DefinitionKey deploy(String yaml) throws Exception {
    HttpResponse<String> response = post("/v1/definitions", "application/yaml", yaml);
    assertTrue(response.statusCode() / 100 == 2, response::body);
    String location = response.headers().firstValue("Location").orElse("");
    String[] parts = location.split("/", -1);
    return parts.length > 7
        ? new DefinitionKey(parts[3], parts[5], parts[7])
        : key(JSON.readTree(response.body()));
  }

  private static DefinitionKey key(JsonNode json) {
    return new DefinitionKey(
        json.path("namespace").asText(), json.path("name").asText(), json.path("version").asText());
  }

  HttpResponse<String> post(String path, String type, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base() + path))
            .timeout(PATIENCE)
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base() + path)).timeout(PATIENCE).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static InstanceView view(DefinitionKey key, JsonNode json) {
    InstanceId id = InstanceId.parse(json.path("id").asText()).orElseThrow();
    InstanceState state = InstanceState.valueOf(json.path("state").asText());
    Payload output = json.has("output") ? Payload.of(json.get("output")) : null;
    return new InstanceView(id, key, state, 0, 0, 0, output, error(json.get("error")), Tags.NONE);
  }

  private static @Nullable WorkflowError error(@Nullable JsonNode json) {
    if (!(json instanceof ObjectNode error)) {
      return null;
    }
    return new WorkflowError(
        error.path("type").asText(),
        error.path("status").asInt(),
        error.path("title").asText(null),
        error.path("detail").asText(null),
        error.path("instance").asText(null));
  }

  @Override
  public List<String> entered() {
    return List.copyOf(entered);
  }

  String metrics() {
    MetricFamilies families = new MetricFamilies();
    engine.addMetrics(families);
    return families.text();
  }

  @Override
  public void close() {
    client.close();
    await("Field fault 1: what was counted on its way is given back")
        .until(() -> metrics().contains("pinion_carried_bytes 0.0\n"));
    engine.close();
    services.close();
  }
}
