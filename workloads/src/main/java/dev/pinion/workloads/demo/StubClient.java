package dev.pinion.workloads.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.workloads.stub.StubStatistics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Reads and resets the counters of a stub in another process. */
final class StubClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI stub;

  StubClient(URI stub) {
    this.stub = stub;
  }

  StubStatistics stats() throws DemoException, InterruptedException {
    return send(request("/__stats").GET());
  }

  void reset() throws DemoException, InterruptedException {
    send(request("/__reset").POST(BodyPublishers.noBody()));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(stub.resolve(path)).timeout(Duration.ofSeconds(10));
  }

  private StubStatistics send(HttpRequest.Builder request)
      throws DemoException, InterruptedException {
    try {
      HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
      return JSON.readValue(answer.body(), StubStatistics.class);
    } catch (IOException lost) {
      throw new DemoException(
          "expected the counters of the stub at " + stub + ", found: " + lost.getMessage(), lost);
    }
  }
}
