package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.benchmarks.testbed.EngineAdminClient;
import dev.pinion.benchmarks.testbed.EngineClient;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.workloads.catalog.Workload;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/**
 * The broker of an engine through the interfaces of its users and operators. Used by one thread.
 */
final class BrokerRestClient {
  private static final String PLAN = "/v1/broker/plan";

  private final ServerProcess engine;

  BrokerRestClient(ServerProcess engine) {
    this.engine = engine;
  }

  /** Publishes a workload to the broker, and waits until every replica binds calls by its plan. */
  void register(Workload workload, URI stub) throws MeasurementException, InterruptedException {
    EngineClient user = EngineClient.ofUser(engine);
    try {
      user.await("a broker", PLAN, plan -> true);
      for (Map.Entry<String, String> each : BrokerScenario.documents(workload, stub).entrySet()) {
        String path = "/v1/broker/" + each.getKey();
        Request put = new Request("PUT", path, "application/json", each.getValue(), "");
        user.require(201, each.getKey() + " of the broker", put);
      }
      long version = user.exchange(Request.get(PLAN)).json().path("version").asLong();
      EngineAdminClient.of(engine).awaitTable(version);
    } catch (IOException e) {
      throw new MeasurementException(
          "expected the broker of " + engine.name() + " to answer, found: " + e.getMessage(), e);
    }
  }

  /** Process id of the broker. */
  long pid() throws MeasurementException {
    try {
      Request page = Request.get("/admin/v1/broker");
      long pid = EngineClient.ofOperator(engine).exchange(page).json().path("pid").asLong(-1);
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
}
