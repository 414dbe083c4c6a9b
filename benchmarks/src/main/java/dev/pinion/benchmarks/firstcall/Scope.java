package dev.pinion.benchmarks.firstcall;

import dev.pinion.benchmarks.bench.ServedProcess;
import dev.pinion.benchmarks.experiment.MeasurementException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Parts of the interface, with the engines that they need. Together they are complete. */
public enum Scope {
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
    try (Services none = new Services()) {
      return operations(NOWHERE, none, new Operators(NOWHERE, Duration.ZERO)).stream()
          .map(Operation::name)
          .toList();
    }
  }

  /**
   * Operations for an engine, once it is ready for all of them.
   *
   * @param stub services that respond
   */
  List<Operation> operations(ServedProcess engine, URI stub, Services services)
      throws IOException, InterruptedException, MeasurementException {
    Operators operators = Operators.of(engine);
    if (this == HISTORY_AND_BROKER) {
      operators.awaitHistoryAndBroker();
    }
    return operations(stub, services, operators);
  }

  private List<Operation> operations(URI stub, Services services, Operators operators) {
    return switch (this) {
      case ENGINE -> Operations.all(stub, services);
      case HISTORY_AND_BROKER -> new HistoryAndBroker(stub, services, operators).all();
    };
  }
}
