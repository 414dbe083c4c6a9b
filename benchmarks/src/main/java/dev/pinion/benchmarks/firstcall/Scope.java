package dev.pinion.benchmarks.firstcall;

import dev.pinion.benchmarks.bench.ServedProcess;
import dev.pinion.benchmarks.experiment.MeasurementException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Which part of the interface is asked, and what engines need for it. Together they are all. */
public enum Scope {
  /** All that needs neither a history nor a broker: engines are started without them. */
  ENGINE,

  /** What is left, for engines with both. */
  HISTORY_AND_BROKER;

  private static final URI NOWHERE = URI.create("http://127.0.0.1:1");

  /** Options of {@code serve}. */
  List<String> options() {
    return switch (this) {
      case ENGINE -> List.of();
      case HISTORY_AND_BROKER -> List.of("--history", "sqlite", "--broker", "on");
    };
  }

  /** Names of all operations, in the order in which they are asked. */
  public List<String> names() {
    try (Services none = new Services()) {
      return operations(NOWHERE, none, new Operators(NOWHERE, Duration.ZERO)).stream()
          .map(Operation::name)
          .toList();
    }
  }

  /**
   * What an engine is asked, once it is ready for all of it.
   *
   * @param stub services that answer
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
