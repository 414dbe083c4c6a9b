package dev.pinion.benchmarks.experiments.hostile;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ServerProcess;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * An engine under a good load with hostile requests beside it, or without any as the baseline. A
 * round counts only when the good load saw no error and no response to a hostile request was a 5xx
 * other than 503 and 505.
 */
public final class HostileVariant implements Variant {
  /** Memory of the replica at the end of the round. */
  public static final Metric MEMORY = new Metric("rss", "MB", 1);

  private static final Metric SENT = new Metric("hostile", "requests", 0);
  private static final Metric TAKEN = new Metric("2xx", "answers", 0);
  private static final Metric REFUSED = new Metric("4xx", "answers", 0);
  private static final Metric UNAVAILABLE = new Metric("503", "answers", 0);
  private static final Metric UNKNOWN_VERSION = new Metric("505", "answers", 0);
  private static final Metric UNANSWERED = new Metric("unanswered", "requests", 0);
  private static final Metric ABANDONED = new Metric("abandoned", "requests", 0);
  private static final double MEBI = 1 << 20;

  /**
   * Hostile requests during the warm-up: the code that refuses them is then warm during the
   * measurement, too.
   */
  private static final int WARM_UP_REQUESTS = 2_000;

  private interface Load {
    void run() throws MeasurementException, InterruptedException;
  }

  private final String name;
  private final ServerProcess engine;
  private final LoadVariant good;
  private final HostileClient client;
  private final int requests;
  private final Duration ramp;
  private final Duration duration;

  /**
   * A variant.
   *
   * @param name its name in tables
   * @param good the load whose latencies count, on the same engine
   * @param client sender of the hostile requests
   * @param requests hostile requests of each round; 0 for none
   * @param load settings of the good load: hostile requests begin after its ramp and are spread
   *     over its measured time
   */
  public HostileVariant(
      String name,
      ServerProcess engine,
      LoadVariant good,
      HostileClient client,
      int requests,
      LoadSettings load) {
    this.name = name;
    this.engine = engine;
    this.good = good;
    this.client = client;
    this.requests = requests;
    this.ramp = load.times().ramp();
    this.duration = load.times().duration();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void warmUp() throws MeasurementException, InterruptedException {
    int warmUpRequests = requests == 0 ? 0 : WARM_UP_REQUESTS;
    checked(attackDuring(good::warmUp, warmUpRequests, Duration.ZERO));
  }

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    Sample[] load = new Sample[1];
    HostileStatistics tally = checked(attackDuring(() -> load[0] = good.measure(), requests, ramp));
    return sample(load[0], engine.replicaMemory(), tally);
  }

  private HostileStatistics attackDuring(Load load, int count, Duration delay)
      throws MeasurementException, InterruptedException {
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      Future<HostileStatistics> attack = threads.submit(() -> client.run(count, delay, duration));
      load.run();
      return attack.get();
    } catch (ExecutionException e) {
      throw new MeasurementException("expected the hostile client to continue, found: " + e, e);
    } finally {
      threads.shutdownNow();
      threads.close();
    }
  }

  private HostileStatistics checked(HostileStatistics tally) throws MeasurementException {
    if (!tally.faults().isEmpty()) {
      throw new MeasurementException(
          "expected refusals and no status above 499 but 503 and 505 for hostile requests to "
              + engine.name()
              + ", found:\n  "
              + String.join("\n  ", tally.faults()));
    }
    return tally;
  }

  private static Sample sample(Sample load, long memory, HostileStatistics tally) {
    Map<Metric, Double> values = new LinkedHashMap<>();
    values.put(Metric.THROUGHPUT, load.value(Metric.THROUGHPUT));
    values.put(Metric.CPU, load.value(Metric.CPU));
    values.put(Metric.ERRORS, load.value(Metric.ERRORS));
    values.put(LoadVariant.BUSY, load.value(LoadVariant.BUSY));
    values.put(Metric.P50, load.value(Metric.P50));
    values.put(Metric.P99, load.value(Metric.P99));
    values.put(Metric.GENERATOR, load.value(Metric.GENERATOR));
    values.put(LoadVariant.LAG, load.value(LoadVariant.LAG));
    values.put(MEMORY, memory / MEBI);
    values.put(SENT, (double) tally.requests());
    values.put(TAKEN, (double) tally.answers(200, 299));
    values.put(REFUSED, (double) tally.answers(400, 499));
    values.put(UNAVAILABLE, (double) tally.answers(503, 503));
    values.put(UNKNOWN_VERSION, (double) tally.answers(505, 505));
    values.put(UNANSWERED, (double) tally.unanswered());
    values.put(ABANDONED, (double) tally.abandoned());
    return new Sample(values);
  }
}
