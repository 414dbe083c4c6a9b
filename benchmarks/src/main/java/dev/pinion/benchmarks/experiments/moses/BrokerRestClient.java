package dev.pinion.benchmarks.experiments.moses;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.workloads.catalog.Workload;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/**
 * The broker of an engine through the interfaces of its users and operators. Used by one thread.
 */
final class BrokerRestClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final int LOOKS = 600;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ServerProcess engine;
  private final URI admin;

  BrokerRestClient(ServerProcess engine) throws MeasurementException {
    this.engine = engine;
    this.admin =
        engine
            .admin()
            .orElseThrow(
                () ->
                    new MeasurementException(
                        "expected " + engine.name() + " to say where operators reach it"));
  }

  /** Publishes a workload to the broker, and waits until every replica binds calls by its plan. */
  void register(Workload workload, URI stub) throws MeasurementException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI plan = resource(engine.uri(), "plan");
      await("a broker", () -> answer(http, plan).statusCode() == 200);
      for (Map.Entry<String, String> each : BrokerScenario.documents(workload, stub).entrySet()) {
        HttpResponse<String> answer =
            http.send(
                change(engine.uri(), each.getKey(), each.getValue()),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 201) {
          throw new MeasurementException(
              "expected status 201 for "
                  + each.getKey()
                  + " of the broker, found "
                  + answer.statusCode()
                  + " "
                  + answer.body());
        }
      }
      long version = JSON.readTree(answer(http, plan).body()).path("version").asLong();
      await("table " + version + " in every replica", () -> haveAll(http, version));
    } catch (IOException e) {
      throw new MeasurementException(
          "expected the broker of " + engine.name() + " to answer, found: " + e.getMessage(), e);
    }
  }

  /** Process id of the broker. */
  long pid() throws MeasurementException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      long pid =
          JSON.readTree(answer(http, admin.resolve("/admin/v1/broker")).body())
              .path("pid")
              .asLong(-1);
      if (pid < 0) {
        throw new MeasurementException(
            "expected a running broker beside " + engine.name() + ", found none");
      }
      return pid;
    } catch (IOException e) {
      throw new MeasurementException(
          "expected a response about the broker of " + engine.name() + ": " + e.getMessage(), e);
    }
  }

  /** A change of the broker's knowledge. */
  static HttpRequest change(URI engine, String path, String document) {
    return HttpRequest.newBuilder(resource(engine, path))
        .timeout(ANSWER)
        .header("Content-Type", "application/json")
        .PUT(HttpRequest.BodyPublishers.ofString(document))
        .build();
  }

  private static URI resource(URI engine, String path) {
    return engine.resolve("/v1/broker/" + path);
  }

  private boolean haveAll(HttpClient http, long version) throws IOException, InterruptedException {
    JsonNode replicas =
        JSON.readTree(answer(http, admin.resolve("/admin/v1/replicas")).body()).path("replicas");
    for (JsonNode each : replicas) {
      if (each.path("lastBeat").path("bindingVersion").asLong() < version) {
        return false;
      }
    }
    return !replicas.isEmpty();
  }

  private static HttpResponse<String> answer(HttpClient http, URI uri)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(ANSWER).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @FunctionalInterface
  private interface Condition {
    boolean succeeds() throws IOException, InterruptedException;
  }

  private void await(String what, Condition condition)
      throws IOException, MeasurementException, InterruptedException {
    for (int i = 0; i < LOOKS; i++) {
      if (condition.succeeds()) {
        return;
      }
      Thread.sleep(PAUSE);
    }
    throw new MeasurementException(
        "expected "
            + what
            + " of "
            + engine.name()
            + " within "
            + PAUSE.multipliedBy(LOOKS).toSeconds()
            + " s, found none");
  }
}
