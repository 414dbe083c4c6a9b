package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.DefinitionResources;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.engine.Engine;
import dev.pinion.core.events.InMemoryEvents;
import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.core.spi.InstanceObserver;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * An engine in this process with all data in memory, used over its REST interface as clients use
 * it. Its tasks may run any program. For one scenario at a time.
 */
final class ConformanceEngine implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Some versions of Node reserve far more memory than they use; the next scenario has other
   * secrets.
   */
  private static final Map<String, Integer> FOR_SCENARIOS =
      Map.of("program.maxMemoryMebibytes", 2_048, "authentication.secretMillis", 0);

  private final HttpClient client;
  private final InstanceReports reports;
  private final ProvidedSecrets secrets;
  private final ScenarioDocuments documents;
  private final Engine engine;
  private final List<String> deployed = new ArrayList<>();

  private ConformanceEngine(
      HttpClient client,
      InstanceReports reports,
      ProvidedSecrets secrets,
      ScenarioDocuments documents,
      Engine engine) {
    this.client = client;
    this.reports = reports;
    this.secrets = secrets;
    this.documents = documents;
    this.engine = engine;
  }

  /**
   * Starts an engine.
   *
   * @param protocols calls services over protocols besides plain HTTP
   * @param client its client
   * @throws IOException when it cannot listen
   */
  static ConformanceEngine start(
      StageLayout layout, ProtocolClient protocols, HttpClient client, Clock clock)
      throws IOException {
    EngineLimits limits =
        EngineLimits.forHeap(Runtime.getRuntime().maxMemory()).with(FOR_SCENARIOS);
    InstanceReports reports =
        new InstanceReports(new EnteredTasks(clock), new LifecycleRecord(clock));
    ProvidedSecrets secrets = new ProvidedSecrets();
    ScenarioDocuments documents = new ScenarioDocuments(limits, clock);
    DefinitionRegistry registry =
        new DefinitionRegistry(
            limits,
            new InMemoryDefinitionStore(),
            ChainCatalog.UNKNOWN,
            BindingSource.NONE,
            DefinitionResources.DEFAULT.withDocuments(documents::open),
            clock);
    EngineSettings settings =
        EngineSettings.of(registry)
            .withClock(clock)
            .withLimits(limits)
            .withStageLayout(layout)
            .withEvents(new InMemoryEvents(limits, clock))
            .withProtocols(protocols)
            .withPrograms(EnumSet.allOf(Program.Kind.class))
            .withSecrets(secrets)
            .withObserver(reports);
    return new ConformanceEngine(client, reports, secrets, documents, Engine.start(settings));
  }

  /** What its instances report. */
  private record InstanceReports(EnteredTasks entered, LifecycleRecord lifecycle)
      implements InstanceObserver {
    @Override
    public void onTaskEntered(InstanceId id, String pointer, String name) {
      entered.onTaskEntered(id, pointer, name);
    }

    @Override
    public boolean observesAll() {
      return true;
    }

    @Override
    public void onEvent(HistoryEvent event) {
      lifecycle.add(event);
    }
  }

  /**
   * A response.
   *
   * @param status HTTP status
   * @param body JSON of the body; a missing node if there is none
   */
  record Response(int status, JsonNode body) {
    boolean ok() {
      return status < 300;
    }
  }

  /** The tasks that its instances have entered. */
  EnteredTasks entered() {
    return reports.entered;
  }

  /** The lifecycle events of its instances. */
  LifecycleRecord lifecycle() {
    return reports.lifecycle;
  }

  /**
   * Provides what the definitions of a scenario use.
   *
   * @param values the secrets
   * @param services base URL of the services, which serve documents, too
   */
  void provide(Map<String, JsonNode> values, String services) {
    secrets.provide(values);
    documents.allow(services);
  }

  /** Deploys a definition in YAML. */
  Response deploy(String definition) throws IOException, InterruptedException {
    Response response =
        send(
            request("/v1/definitions", Duration.ZERO)
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(definition))
                .build());
    if (response.ok()) {
      deployed.add(path(response.body()));
    }
    return response;
  }

  private static String path(JsonNode definition) {
    return String.format(
        "/v1/namespaces/%s/definitions/%s/versions/%s",
        definition.path("namespace").asText(),
        definition.path("name").asText(),
        definition.path("version").asText().replace("+", "%2B"));
  }

  /**
   * Deletes all definitions.
   *
   * @return whether nothing is left that another scenario could notice
   */
  boolean clear() throws IOException, InterruptedException {
    boolean cleared = engine.running() == 0;
    for (String each : deployed) {
      cleared &= send(request(each, Duration.ZERO).DELETE().build()).ok();
    }
    deployed.clear();
    reports.entered.clear();
    reports.lifecycle.clear();
    return cleared;
  }

  /**
   * Starts an instance.
   *
   * @param definition what was answered when its definition was deployed
   * @param atMost time to wait for its end; zero for none
   */
  Response start(JsonNode definition, JsonNode input, Duration atMost)
      throws IOException, InterruptedException {
    ObjectNode body = JSON.createObjectNode();
    body.set("input", input);
    return send(
        request(path(definition) + "/instances", atMost)
            .header("Content-Type", "application/json")
            .header("Prefer", atMost.isZero() ? "respond-async" : "wait=" + atMost.toSeconds())
            .POST(BodyPublishers.ofString(body.toString()))
            .build());
  }

  /** Waits for the end of an instance and returns it as it is then. */
  Response await(String id, Duration atMost) throws IOException, InterruptedException {
    return send(
        request("/v1/instances/" + id, atMost)
            .header("Prefer", "wait=" + atMost.toSeconds())
            .GET()
            .build());
  }

  /** Suspends, resumes or cancels an instance. */
  Response control(String id, String control) throws IOException, InterruptedException {
    return send(
        request("/v1/instances/" + id + "/" + control, Duration.ZERO)
            .POST(BodyPublishers.noBody())
            .build());
  }

  /** Publishes a CloudEvent. */
  Response publish(String namespace, JsonNode event) throws IOException, InterruptedException {
    return send(
        request("/v1/namespaces/" + namespace + "/events", Duration.ZERO)
            .header("Content-Type", "application/cloudevents+json")
            .POST(BodyPublishers.ofString(event.toString()))
            .build());
  }

  private HttpRequest.Builder request(String path, Duration atMost) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + engine.address().getPort() + path))
        .timeout(atMost.plus(GRACE));
  }

  private Response send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    return new Response(response.statusCode(), parsed(response.body()));
  }

  private static JsonNode parsed(String body) throws JsonProcessingException {
    return body.isEmpty() ? MissingNode.getInstance() : JSON.readTree(body);
  }

  @Override
  public void close() {
    engine.close();
  }
}
