package dev.pinion.benchmarks.bench;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.core.model.Clock;
import dev.pinion.workloads.load.LoadGenerator;
import dev.pinion.workloads.load.LoadPlan;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.LoadResult;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubStats;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A process under the load generator. A round counts only when every answer was right and the stub
 * received exactly the calls that belong to them.
 */
public final class LoadVariant implements Variant {
  /** Requests and calls answered for each second: what compares an exchange with an echo. */
  public static final Metric EXCHANGES = new Metric("exchanges", "1/s", 0);

  /** Requests and calls answered for each second of processor time. */
  public static final Metric PER_CPU = new Metric("perCpu", "1/CPU s", 0);

  /** Share of one core that the process used; below about 0.95 something else was the limit. */
  public static final Metric BUSY = new Metric("busy", "cores", 2);

  private static final Metric REPLICAS = new Metric("replicas", "processes", 0);
  private static final Metric BUSIEST = new Metric("busiest replica", "cores", 2);
  private static final Metric LARGEST = new Metric("largest replica", "MB", 0);
  private static final Metric ALL_REPLICAS = new Metric("all replicas", "MB", 0);
  private static final Metric PARENT = new Metric("parent", "MB", 0);
  private static final double MEGABYTE = 1 << 20;
  private static final long THINK_SEED = 1;

  private final String name;
  private final ServedProcess process;
  private final List<LoadRequest> requests;
  private final StubService stub;
  private final int calls;
  private final LoadSettings settings;
  private boolean replicasToo;
  private final Clock clock = Clock.system();

  /**
   * A variant.
   *
   * @param requests what clients send in turn
   * @param calls calls of the stub that belong to each answer
   */
  public LoadVariant(
      String name,
      ServedProcess process,
      List<LoadRequest> requests,
      StubService stub,
      int calls,
      LoadSettings settings) {
    this.name = name;
    this.process = process;
    this.requests = List.copyOf(requests);
    this.stub = stub;
    this.calls = calls;
    this.settings = settings;
  }

  /** Tells processor time and memory of each replica too. */
  LoadVariant tellingReplicas() {
    replicasToo = true;
    return this;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void warmUp() throws MeasurementException, InterruptedException {
    if (settings.warmUp().isZero()) {
      return;
    }
    int few = Math.min(LoadSettings.WARM_UP_CLIENTS, settings.clients());
    load(plan(LoadSettings.RAMP).warmingUp(settings.warmUp(), few));
  }

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    long startNanos = clock.nanoTime();
    CpuReading before = process.cpu();
    LoadResult result =
        load(plan(settings.duration()).warmingUp(LoadSettings.RAMP, settings.clients()));
    Duration cpu = process.cpu().since(before);
    long elapsedNanos = clock.nanoTime() - startNanos;
    Map<Metric, Double> values = new LinkedHashMap<>();
    values.put(Metric.THROUGHPUT, result.throughput());
    values.put(EXCHANGES, (calls + 1) * result.throughput());
    values.put(PER_CPU, (calls + 1) * result.allAnswers() * 1e9 / Math.max(1, cpu.toNanos()));
    values.put(Metric.CPU, cpu.toNanos() / 1e3 / result.allAnswers());
    values.put(BUSY, (double) cpu.toNanos() / elapsedNanos);
    values.put(Metric.P50, result.latencyMillis(50));
    values.put(Metric.P99, result.latencyMillis(99));
    if (replicasToo) {
      tellReplicas(values, before, elapsedNanos);
    }
    return new Sample(values);
  }

  private void tellReplicas(Map<Metric, Double> values, CpuReading before, long elapsedNanos)
      throws MeasurementException {
    CpuReading now = process.cpu();
    List<ProcessHandle> replicas = process.replicas();
    double busiest = 0;
    double largest = 0;
    for (ProcessHandle replica : replicas) {
      double cores = (double) now.since(before, replica.pid()).toNanos() / elapsedNanos;
      busiest = Math.max(busiest, cores);
      largest = Math.max(largest, ProcFiles.residentBytes(replica.pid()) / MEGABYTE);
    }
    values.put(REPLICAS, (double) replicas.size());
    values.put(BUSIEST, busiest);
    values.put(LARGEST, largest);
    values.put(ALL_REPLICAS, process.replicaMemory() / MEGABYTE);
    values.put(PARENT, ProcFiles.residentBytes(process.parent().pid()) / MEGABYTE);
  }

  private LoadPlan plan(Duration duration) {
    return LoadPlan.of(requests, settings.clients(), duration)
        .onThreads(settings.threads())
        .thinking(settings.thinkTime(), THINK_SEED);
  }

  private LoadResult load(LoadPlan plan) throws MeasurementException, InterruptedException {
    stub.reset();
    LoadResult result = LoadGenerator.run(plan);
    if (result.errorCount() > 0) {
      throw new MeasurementException(
          "expected right answers only from " + name + ", found:\n" + result.errorLines());
    }
    if (result.answers() == 0) {
      throw new MeasurementException("expected answers from " + name + ", found none");
    }
    StubStats stats = stub.stats();
    long expected = calls * result.allAnswers();
    if (stats.total() != expected || stats.malformed() != 0 || stats.failed() != 0) {
      throw new MeasurementException(
          "expected " + expected + " calls of the stub by " + name + ", found " + stats);
    }
    return result;
  }
}
