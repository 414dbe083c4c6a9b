package dev.pinion.benchmarks.experiments.recovery;

import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.CompletionCheck;
import dev.pinion.workloads.load.LoadRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Requests one instance at a time from an engine. Used by one thread. */
final class AvailabilityProbe implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** Observed state of an engine. */
  enum State {
    /** The response was right. */
    RIGHT,
    /** The definition was unknown. */
    UNKNOWN_DEFINITION,
    /** The response was wrong. */
    WRONG,
    /** The engine was unreachable, or did not respond in time. */
    SILENT
  }

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private final HttpRequest start;
  private final CompletionCheck right;

  AvailabilityProbe(URI engine, Workload workload) {
    var input = workload.input(1);
    this.right = new CompletionCheck(workload.expectedOutput(input));
    this.start =
        HttpRequest.newBuilder(LoadRequest.instances(engine, workload))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(LoadRequest.startBody(input)))
            .build();
  }

  State probe() throws InterruptedException {
    try {
      HttpResponse<byte[]> answer = http.send(start, HttpResponse.BodyHandlers.ofByteArray());
      byte[] body = answer.body();
      if (answer.statusCode() == 404) {
        return State.UNKNOWN_DEFINITION;
      }
      return right.check(answer.statusCode(), body, body.length) == null
          ? State.RIGHT
          : State.WRONG;
    } catch (IOException e) {
      return State.SILENT;
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
