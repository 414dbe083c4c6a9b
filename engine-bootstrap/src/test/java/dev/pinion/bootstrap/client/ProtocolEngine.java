package dev.pinion.bootstrap.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.bootstrap.assembly.ReplicaAssembly;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.resource.AllowedDocuments;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/** A whole engine in memory that runs definitions with calls over protocols. */
public final class ProtocolEngine implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final RunningEngine engine;
  private int definitions;

  /** An engine that runs no programs and has no documents. */
  public ProtocolEngine(Map<String, Integer> limits) throws IOException {
    this(limits, Set.of(), "");
  }

  /**
   * An engine.
   *
   * @param documents folders of documents
   */
  public ProtocolEngine(Map<String, Integer> limits, Set<Program.Kind> programs, String documents)
      throws IOException {
    this.engine =
        new ReplicaAssembly(new CoreEngineLauncher())
            .startInMemory(
                EngineLimits.defaults().with(limits),
                null,
                programs,
                AllowedDocuments.parse(documents));
  }

  /** An engine with the documents of a folder. */
  public static ProtocolEngine withDocuments(Path folder) throws IOException {
    return new ProtocolEngine(Map.of(), Set.of(), folder.toString());
  }

  private HttpResponse<String> post(String path, String type, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + engine.port() + path))
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  /** Runs a definition of one call; the instance as it ended. */
  public JsonNode run(String call) throws Exception {
    HttpResponse<String> deployed = deploy(call);
    assertTrue(deployed.statusCode() / 100 == 2, deployed::body);
    return runDeployed();
  }

  /** Runs the definition that was deployed last; the instance as it ended. */
  public JsonNode runDeployed() throws Exception {
    String path = "/v1/namespaces/test/definitions/calls/versions/1.0." + definitions;
    return JSON.readTree(post(path + "/instances", "application/json", "{}").body());
  }

  /** Deploys a definition of one call. */
  public HttpResponse<String> deploy(String call) throws Exception {
    definitions++;
    return post(
        "/v1/definitions",
        "application/yaml",
        """
        document: {dsl: 1.0.3, namespace: test, name: calls, version: 1.0.%s}
        do:
          - call: %s
        """
            .formatted(definitions, call));
  }

  /** The output of a call that succeeds. */
  public JsonNode output(String call) throws Exception {
    JsonNode instance = run(call);
    assertEquals("COMPLETED", instance.path("state").asText(), instance::toString);
    return instance.path("output");
  }

  /** The error of a call that fails. */
  public JsonNode error(String call) throws Exception {
    JsonNode instance = run(call);
    assertEquals("FAULTED", instance.path("state").asText(), instance::toString);
    return instance.path("error");
  }

  /** A value from JSON. */
  public static JsonNode json(String text) throws IOException {
    return JSON.readTree(text);
  }

  @Override
  public void close() {
    engine.close();
    client.close();
  }
}
