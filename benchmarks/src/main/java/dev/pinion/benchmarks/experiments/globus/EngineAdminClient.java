package dev.pinion.benchmarks.experiments.globus;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.BlockingHttpClient;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.benchmarks.testbed.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Requests to the operators' listener of an engine. The parent answers them, so waiting here warms
 * nothing of the measured replica.
 */
final class EngineAdminClient {
  /** Most requests while waiting, with a pause between: two minutes in all. */
  static final int LOOKS = 1_200;

  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int LOOKS_OF_TWO_SECONDS = 20;
  private static final int FEW_RECORDS = 100;

  private final URI admin;
  private final Duration pause;

  /**
   * Constructor.
   *
   * @param admin the listener for operators
   * @param pause pause between two requests
   */
  EngineAdminClient(URI admin, Duration pause) {
    this.admin = admin;
    this.pause = pause;
  }

  /** Operators of an engine. */
  static EngineAdminClient of(ServerProcess engine) throws MeasurementException {
    return new EngineAdminClient(
        engine
            .admin()
            .orElseThrow(
                () ->
                    new MeasurementException(
                        "expected " + engine.name() + " to say where operators reach it")),
        PAUSE);
  }

  /** Waits until the history has read the journals and the broker has made its first plan. */
  void awaitHistoryAndBroker() throws IOException, InterruptedException {
    await(
        "a history that has reported its progress",
        "history",
        history -> history.path("lagRecords").asLong(-1) >= 0);
    await(
        "a broker that has reported its plan",
        "broker",
        broker ->
            broker.path("running").asBoolean() && !broker.path("plan").asText().equals("unknown"));
  }

  /**
   * Waits until the history has nearly all records of the journals, and has reported so for two
   * seconds: it reports its progress once a second, so a report from before a load does not count.
   */
  void awaitHistory() throws IOException, InterruptedException {
    AtomicInteger looks = new AtomicInteger();
    await(
        "a history that is at most " + FEW_RECORDS + " records behind",
        "history",
        history -> {
          long lag = history.path("lagRecords").asLong(-1);
          boolean near = lag >= 0 && lag <= FEW_RECORDS;
          return looks.updateAndGet(before -> near ? before + 1 : 0) > LOOKS_OF_TWO_SECONDS;
        });
  }

  /** Waits until every replica binds calls by a table of this version or a later one. */
  void awaitTable(long version) throws IOException, InterruptedException {
    await(
        "table " + version + " in every replica",
        "replicas",
        page -> {
          JsonNode replicas = page.path("replicas");
          return !replicas.isEmpty()
              && replicas
                  .valueStream()
                  .allMatch(each -> each.at("/lastBeat/bindingVersion").asLong() >= version);
        });
  }

  private void await(String what, String page, Predicate<JsonNode> holds)
      throws IOException, InterruptedException {
    String path = "/admin/v1/" + page;
    String found = "nothing";
    for (int look = 0; look < LOOKS; look++) {
      try (BlockingHttpClient client = new BlockingHttpClient(admin)) {
        BlockingHttpClient.Response response = client.exchange(Request.get(path));
        if (response.status() == 200 && holds.test(response.json())) {
          return;
        }
        found = response.toString();
      }
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
