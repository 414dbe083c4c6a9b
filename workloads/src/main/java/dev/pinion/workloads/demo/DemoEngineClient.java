package dev.pinion.workloads.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.CompletionCheck;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.ResponseCheck.Problem;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Deploys and starts workloads over the engine's REST API. */
final class DemoEngineClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final Ticker ticker = Ticker.systemTicker();
  private final URI engine;

  DemoEngineClient(URI engine) {
    this.engine = engine;
  }

  /** Deploys the definition of a workload, with calls to this stub. */
  void deploy(Workload workload, URI stub) throws DemoException, InterruptedException {
    HttpResponse<byte[]> answer =
        post(engine.resolve("/v1/definitions"), "application/yaml", workload.definition(stub));
    if (answer.statusCode() != 201 && answer.statusCode() != 200) {
      throw new DemoException(
          "expected status 201 for definition "
              + workload.id()
              + ", found "
              + Problem.of("status " + answer.statusCode(), answer.body(), answer.body().length));
    }
  }

  /** Starts one instance, waits for its end and checks it. */
  InstanceResult run(Workload workload, JsonNode input) throws DemoException, InterruptedException {
    long startNanos = ticker.nanoTime();
    HttpResponse<byte[]> answer =
        post(
            LoadRequest.instances(engine, workload),
            "application/json",
            LoadRequest.startBody(input));
    double millis = (ticker.nanoTime() - startNanos) / 1e6;
    Problem problem =
        new CompletionCheck(workload.expectedOutput(input))
            .check(answer.statusCode(), answer.body(), answer.body().length);
    JsonNode body = parse(answer.body());
    return new InstanceResult(
        workload,
        input,
        body.path("id").asText(),
        body.path("state").asText(),
        body.path("output"),
        millis,
        problem);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  private HttpResponse<byte[]> post(URI uri, String contentType, String body)
      throws DemoException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(TIMEOUT)
            .header("content-type", contentType)
            .POST(BodyPublishers.ofString(body))
            .build();
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (IOException lost) {
      throw new DemoException(
          "expected an answer from " + uri + ", found: " + lost.getMessage(), lost);
    }
  }

  private static JsonNode parse(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException notJson) {
      return MissingNode.getInstance();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
