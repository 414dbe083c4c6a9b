package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.EngineAdminClient;
import dev.pinion.benchmarks.testbed.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Parts of the interface, with the engines that they need. Together they are complete. */
public enum OperationSet {
  /** Operations that need neither a history nor a broker: engines are started without them. */
  ENGINE,

  /** The remaining operations, for engines with both. */
  HISTORY_AND_BROKER;

  private static final URI NOWHERE = URI.create("http://127.0.0.1:1");

  /** Options of {@code serve}. */
  List<String> options() {
    return switch (this) {
      case ENGINE -> List.of();
      case HISTORY_AND_BROKER -> List.of("--history", "sqlite", "--broker", "on");
    };
  }

  /** Names of all operations, in order. */
  public List<String> names() {
    try (FreshServices none = new FreshServices()) {
      return operations(NOWHERE, none, new EngineAdminClient(NOWHERE, Duration.ZERO)).stream()
          .map(TimedOperation::name)
          .toList();
    }
  }

  /**
   * Operations for an engine, once it is ready for all of them.
   *
   * @param stub services that respond
   */
  List<TimedOperation> operations(ServerProcess engine, URI stub, FreshServices freshServices)
      throws IOException, InterruptedException, MeasurementException {
    EngineAdminClient engineAdminClient = EngineAdminClient.of(engine);
    if (this == HISTORY_AND_BROKER) {
      engineAdminClient.awaitHistoryAndBroker();
    }
    return operations(stub, freshServices, engineAdminClient);
  }

  private List<TimedOperation> operations(
      URI stub, FreshServices freshServices, EngineAdminClient engineAdminClient) {
    return switch (this) {
      case ENGINE -> EngineOperations.all(stub, freshServices);
      case HISTORY_AND_BROKER ->
          new HistoryAndBrokerOperations(stub, freshServices, engineAdminClient).all();
    };
  }
}
