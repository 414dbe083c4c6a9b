package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One scenario under way: what was arranged, and what its workflow has done. */
final class ScenarioRun {
  /** Longest time to wait for the end of a workflow, a task or a request. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Set<String> ENDS = Set.of("COMPLETED", "FAULTED", "CANCELLED");
  private static final String UNSUPPORTED = "is not supported yet";

  private final ConformanceEngine engine;
  private final ScenarioServices services;
  private final Clock clock;
  private final List<String> others = new ArrayList<>();
  private final Map<String, JsonNode> secrets = new TreeMap<>();
  private String definition = "";
  private JsonNode input = JsonNodeFactory.instance.objectNode();
  private JsonNode deployed = MissingNode.getInstance();
  private @Nullable List<String> problems;
  private @Nullable JsonNode instance;
  private long beganNanos;
  private Duration taken = Duration.ZERO;
  private boolean published;

  ScenarioRun(ConformanceEngine engine, ScenarioServices services, Clock clock) {
    this.engine = engine;
    this.services = services;
    this.clock = clock;
  }

  ScenarioServices services() {
    return services;
  }

  EnteredTasks entered() {
    return engine.entered();
  }

  /** Sets the definition under test. */
  void define(String text) {
    definition = text;
  }

  /** Adds a definition that is deployed before the one under test. */
  void defineOther(String text) {
    others.add(text);
  }

  void provideInput(JsonNode value) {
    input = value;
  }

  void provideSecret(String name, JsonNode value) {
    secrets.put(name, value);
  }

  /** Deploys all definitions; problems are kept for {@link #problems}. */
  void deploy() throws IOException, InterruptedException {
    engine.provide(secrets, services.base());
    beganNanos = clock.nanoTime();
    for (String other : others) {
      deploy(other);
    }
    if (problems == null) {
      deployed = deploy(definition);
    }
  }

  private JsonNode deploy(String text) throws IOException, InterruptedException {
    ConformanceEngine.Response response = engine.deploy(text);
    if (!response.ok()) {
      List<String> found = new ArrayList<>();
      response.body().path("errors").forEach(each -> found.add(each.path("detail").asText()));
      problems = found.isEmpty() ? List.of(response.body().toString()) : found;
    }
    return response.body();
  }

  /** Starts an instance and waits for its end; what is refused at deployment is not started. */
  void execute() throws ScenarioFailure, IOException, InterruptedException {
    deploy();
    if (problems == null) {
      instance = instance(engine.start(deployed, input, PATIENCE));
      taken = Duration.ofNanos(clock.nanoTime() - beganNanos);
    }
  }

  /** Starts an instance and waits for nothing. */
  void start() throws ScenarioFailure, IOException, InterruptedException {
    deploy();
    requireAccepted();
    instance = instance(engine.start(deployed, input, Duration.ZERO));
  }

  private static JsonNode instance(ConformanceEngine.Response response) throws ScenarioFailure {
    if (!response.ok()) {
      throw ScenarioFailure.expected("a workflow that starts", response.body());
    }
    return response.body();
  }

  /** Publishes an event; what CloudEvents require is added. */
  void publish(ObjectNode event) throws ScenarioFailure, IOException, InterruptedException {
    published = true;
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    whole.put("specversion", "1.0");
    whole.put("id", UUID.randomUUID().toString());
    whole.put("source", "https://events.example/conformance");
    whole.put("subject", "conformance");
    whole.setAll(event);
    String namespace = deployed.path("namespace").asText();
    ConformanceEngine.Response response = engine.publish(namespace, whole);
    if (!response.ok()) {
      throw ScenarioFailure.expected("an event that is taken", response.body());
    }
  }

  /** Fails if a definition was refused. */
  void requireAccepted() throws ScenarioFailure {
    if (problems != null) {
      throw ScenarioFailure.expected("a valid definition", problems);
    }
  }

  /**
   * The problems of a definition that breaks the rules of the specification.
   *
   * @throws ScenarioFailure when there are none, or the engine lacks the feature
   */
  List<String> problems() throws ScenarioFailure {
    if (problems == null) {
      throw ScenarioFailure.expected("a definition that is refused", "one that is accepted");
    }
    if (problems.stream().anyMatch(each -> each.contains(UNSUPPORTED))) {
      throw ScenarioFailure.expected("a mistake", problems);
    }
    return problems;
  }

  /** The instance after its end, as REST shows it. */
  JsonNode ended() throws ScenarioFailure, IOException, InterruptedException {
    requireAccepted();
    JsonNode seen = Objects.requireNonNull(instance, "the workflow was not executed");
    if (!ENDS.contains(seen.path("state").asText())) {
      seen = instance(engine.await(seen.path("id").asText(), PATIENCE));
      taken = Duration.ofNanos(clock.nanoTime() - beganNanos);
      instance = seen;
    }
    if (!ENDS.contains(seen.path("state").asText())) {
      throw ScenarioFailure.expected(
          "an end within " + PATIENCE.toSeconds() + " s", seen.path("state").asText());
    }
    return seen;
  }

  /** Output of the instance, which has completed. */
  JsonNode output() throws ScenarioFailure, IOException, InterruptedException {
    requireState("COMPLETED");
    return ended().path("output");
  }

  /** Fails unless the instance has ended so. */
  void requireState(String state) throws ScenarioFailure, IOException, InterruptedException {
    JsonNode end = ended();
    if (!end.path("state").asText().equals(state)) {
      JsonNode reason = end.has("error") ? end.get("error") : end.path("output");
      throw ScenarioFailure.expected(state, end.path("state").asText() + " " + reason);
    }
  }

  /** Whether the engine has taken events, which it may remember. */
  boolean hasPublished() {
    return published;
  }

  /** Time from deployment to the end. */
  Duration taken() {
    return taken;
  }
}
