package dev.pinion.benchmarks.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.benchmarks.experiment.MeasurementException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests to the operators' listener of an engine. The parent answers them, so waiting here warms
 * nothing of the measured replica.
 */
public final class EngineAdminClient {
  private static final int LOOKS_OF_TWO_SECONDS = 20;
  private static final int FEW_RECORDS = 100;

  private final EngineClient client;

  /**
   * Constructor.
   *
   * @param admin the listener for operators
   * @param pause pause between two requests
   */
  public EngineAdminClient(URI admin, Duration pause) {
    this(new EngineClient("engine", admin, pause));
  }

  private EngineAdminClient(EngineClient client) {
    this.client = client;
  }

  /** Operators of an engine. */
  public static EngineAdminClient of(ServerProcess engine) throws MeasurementException {
    return new EngineAdminClient(EngineClient.ofOperator(engine));
  }

  /** Waits until the history has read the journals and the broker has made its first plan. */
  public void awaitHistoryAndBroker() throws IOException, InterruptedException {
    client.await(
        "a history that has reported its progress",
        "/admin/v1/history",
        history -> history.path("lagRecords").asLong(-1) >= 0);
    client.await(
        "a broker that has reported its plan",
        "/admin/v1/broker",
        broker ->
            broker.path("running").asBoolean() && !broker.path("plan").asText().equals("unknown"));
  }

  /**
   * Waits until the history has nearly all records of the journals, and has reported so for two
   * seconds: it reports its progress once a second, so a report from before a load does not count.
   */
  public void awaitHistory() throws IOException, InterruptedException {
    AtomicInteger looks = new AtomicInteger();
    client.await(
        "a history that is at most " + FEW_RECORDS + " records behind",
        "/admin/v1/history",
        history -> {
          long lag = history.path("lagRecords").asLong(-1);
          boolean near = lag >= 0 && lag <= FEW_RECORDS;
          return looks.updateAndGet(before -> near ? before + 1 : 0) > LOOKS_OF_TWO_SECONDS;
        });
  }

  /** Waits until every replica binds calls by a table of this version or a later one. */
  public void awaitTable(long version) throws IOException, InterruptedException {
    client.await(
        "table " + version + " in every replica",
        "/admin/v1/replicas",
        page -> {
          JsonNode replicas = page.path("replicas");
          return !replicas.isEmpty()
              && replicas
                  .valueStream()
                  .allMatch(each -> each.at("/lastBeat/bindingVersion").asLong() >= version);
        });
  }
}
