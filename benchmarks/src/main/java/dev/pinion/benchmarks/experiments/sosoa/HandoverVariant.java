package dev.pinion.benchmarks.experiments.sosoa;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.benchmarks.testbed.EngineClient;
import dev.pinion.benchmarks.testbed.ProcessCpuTime;
import dev.pinion.benchmarks.testbed.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * One client that opens connections in sequence to an engine whose parent hands them over. The
 * times are the engine's own, from the accept in the parent to the active channel in a replica, by
 * the one monotonic clock of the machine.
 */
public final class HandoverVariant implements Variant {
  /** Most connections of a round: as many as the engine remembers. */
  public static final int MAX_CONNECTIONS = 10_000;

  /** Median time of the hand-over. */
  public static final Metric MEDIAN = new Metric("hand-over p50", "µs", 0);

  private static final Metric P99 = new Metric("hand-over p99", "µs", 0);
  private static final Metric CPU = new Metric(Metric.CPU.name(), "µs/connection", 1);

  private final String name;
  private final ServerProcess engine;
  private final int connections;
  private final Duration apart;

  /**
   * A variant.
   *
   * @param engine engine with several replicas whose connections the parent accepts
   * @param connections connections of a round, at most {@value #MAX_CONNECTIONS}
   * @param apart pause before each connection
   */
  public HandoverVariant(String name, ServerProcess engine, int connections, Duration apart) {
    this.name = name;
    this.engine = engine;
    this.connections = connections;
    this.apart = apart;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void warmUp() throws MeasurementException {
    measure();
  }

  @Override
  public Sample measure() throws MeasurementException {
    ProcessCpuTime before = engine.cpu();
    for (int i = 0; i < connections; i++) {
      LockSupport.parkNanos(apart.toNanos());
      ConnectVariant.once(engine);
    }
    JsonNode times = times();
    Map<Metric, Double> values = new LinkedHashMap<>();
    values.put(MEDIAN, times.path("medianMicros").asDouble());
    values.put(P99, times.path("p99Micros").asDouble());
    values.put(CPU, engine.cpu().since(before).toNanos() / 1e3 / connections);
    values.put(Metric.ERRORS, 0.0); // the first one ends the measurement
    return new Sample(values);
  }

  private JsonNode times() throws MeasurementException {
    String picture = "/admin/v1/handover?latest=" + connections;
    EngineClient operator = EngineClient.ofOperator(engine);
    try {
      JsonNode times = operator.exchange(Request.get(picture)).json();
      if (times.path("connections").asInt() != connections) {
        throw new IOException("found " + times);
      }
      return times;
    } catch (IOException e) {
      throw new MeasurementException(
          "expected times of " + connections + " connections from " + picture + ", found: " + e, e);
    }
  }
}
