package dev.pinion.benchmarks.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Response;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Requests to a listener of an engine beside what is measured, each on a connection of its own.
 * Used by one thread.
 */
public final class EngineClient {
  /** Most requests while waiting, with a pause between: two minutes in all. */
  static final int LOOKS = 1_200;

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final String engine;
  private final URI listener;
  private final Duration pause;

  /**
   * Constructor.
   *
   * @param engine name of the engine in messages
   * @param pause pause between two requests while waiting
   */
  EngineClient(String engine, URI listener, Duration pause) {
    this.engine = engine;
    this.listener = listener;
    this.pause = pause;
  }

  /** A user of an engine. */
  public static EngineClient ofUser(ServerProcess engine) {
    return new EngineClient(engine.name(), engine.uri(), PAUSE);
  }

  /** An operator of an engine, whom its parent answers: that warms nothing of a replica. */
  public static EngineClient ofOperator(ServerProcess engine) throws MeasurementException {
    URI admin =
        engine
            .admin()
            .orElseThrow(
                () ->
                    new MeasurementException(
                        "expected " + engine.name() + " to say where operators reach it"));
    return new EngineClient(engine.name(), admin, PAUSE);
  }

  /** Sends a request. */
  public Response exchange(Request ask) throws IOException {
    try (BlockingHttpClient http = new BlockingHttpClient(listener)) {
      return http.exchange(ask);
    }
  }

  /**
   * Sends a request that must have a status.
   *
   * @param what subject of the request in messages
   */
  public void require(int status, String what, Request ask) throws MeasurementException {
    try {
      Response response = exchange(ask);
      if (response.status() != status) {
        throw new MeasurementException(
            "expected status "
                + status
                + " for "
                + what
                + ", found "
                + response.status()
                + " "
                + response.text());
      }
    } catch (IOException e) {
      throw new MeasurementException(
          "expected " + engine + " to take " + what + ", found: " + e.getMessage(), e);
    }
  }

  /**
   * Asks for a page until it fulfils a condition.
   *
   * @param what wanted state in messages
   * @throws IOException when it does not in time
   */
  public void await(String what, String path, Predicate<JsonNode> holds)
      throws IOException, InterruptedException {
    String found = "nothing";
    for (int look = 0; look < LOOKS; look++) {
      Response response = exchange(Request.get(path));
      if (response.status() == 200 && holds.test(response.json())) {
        return;
      }
      found = response.toString();
      Thread.sleep(pause);
    }
    throw new IOException(
        "expected "
            + what
            + " within "
            + LOOKS
            + " questions, "
            + pause.toMillis()
            + " ms apart, found "
            + found
            + " at "
            + path);
  }
}
