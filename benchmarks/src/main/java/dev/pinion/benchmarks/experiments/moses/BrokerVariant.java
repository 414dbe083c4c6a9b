package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ProcessCpuTime;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An engine under load whose broker, if it has one, is reported apart from its replicas, and may be
 * kept busy by changes meanwhile. {@link Metric#CPU} covers all processes together.
 */
public final class BrokerVariant implements Variant {
  /** Processor time of all processes except the broker, for each instance answered. */
  public static final Metric DATA_PATH = new Metric("cpu without broker", "µs/instance", 1);

  /** Share of a core used by the broker's process. */
  public static final Metric BROKER = new Metric("broker", "cores", 3);

  /** Acknowledged changes of the registry, with or without effect. */
  public static final Metric EVENTS = new Metric("events", "1/s", 0);

  /** Due changes of the registry that were not acknowledged. */
  public static final Metric REFUSED = new Metric("events refused", "changes", 0);

  private final BrokerEngine engine;
  private final LoadVariant load;
  private final @Nullable Churn churn;

  /**
   * Requests to the broker during the measurement of an engine.
   *
   * @param stub address of the services
   * @param perSecond requests/s
   * @param changing whether they change anything
   */
  public record Churn(URI stub, int perSecond, boolean changing) {}

  BrokerVariant(BrokerEngine engine, LoadVariant load, @Nullable Churn churn) {
    this.engine = engine;
    this.load = load;
    this.churn = churn;
  }

  /** The same engine under another load. */
  public BrokerVariant under(String name, LoadSettings settings) {
    return new BrokerVariant(engine, load.under(name, settings), churn);
  }

  /** This variant with changes meanwhile. */
  public BrokerVariant during(String name, LoadSettings settings, Churn changes) {
    return new BrokerVariant(engine, load.under(name, settings), changes);
  }

  /** The load alone, for measuring the capacity of the engine. */
  public LoadVariant load() {
    return load;
  }

  @Override
  public String name() {
    return load.name();
  }

  @Override
  public void warmUp() throws MeasurementException, InterruptedException {
    RegistryChurn changes = beginStorm();
    try {
      load.warmUp();
    } finally {
      if (changes != null) {
        changes.close();
      }
    }
  }

  private @Nullable RegistryChurn beginStorm() {
    return churn == null ? null : RegistryChurn.begin(engine.process().uri(), churn);
  }

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    long broker = engine.broker();
    ProcessCpuTime before = engine.process().cpu();
    RegistryChurn changes = beginStorm();
    Sample sample;
    try {
      sample = load.measure();
    } finally {
      if (changes != null) {
        changes.close();
      }
    }
    ProcessCpuTime after = engine.process().cpu();
    double all = after.since(before).toNanos();
    double ofBroker = broker == BrokerEngine.NO_BROKER ? 0 : after.since(before, broker).toNanos();
    double share = all == 0 ? 0 : ofBroker / all;
    Map<Metric, Double> values = new LinkedHashMap<>(sample.values());
    values.put(DATA_PATH, sample.value(Metric.CPU) * (1 - share));
    values.put(BROKER, sample.value(LoadVariant.BUSY) * share);
    values.put(EVENTS, changes == null ? 0 : changes.takenPerSecond());
    values.put(REFUSED, changes == null ? 0 : (double) changes.refused());
    return new Sample(values);
  }
}
