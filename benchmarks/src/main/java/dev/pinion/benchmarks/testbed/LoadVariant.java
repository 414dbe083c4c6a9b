package dev.pinion.benchmarks.testbed;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.core.model.Clock;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.LoadGenerator;
import dev.pinion.workloads.load.LoadPlan;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.LoadResult;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubStatistics;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A process under the load generator. A round counts only when every response was right and the
 * stub received exactly the calls that belong to them. In the open model, which may offer a server
 * more than its capacity, wrong and missing responses are counted instead.
 */
public final class LoadVariant implements Variant {
  /** Requests and calls answered per second: the measure that compares an exchange with an echo. */
  public static final Metric EXCHANGES = new Metric("exchanges", "1/s", 0);

  /** Requests and calls answered per second of processor time. */
  public static final Metric PER_CPU = new Metric("perCpu", "1/CPU s", 0);

  /** Share of one core that the process used; below about 0.95 something else was the limit. */
  public static final Metric BUSY = new Metric("busy", "cores", 2);

  /**
   * Processor time of the process with load generator and stub services, divided by its time and
   * CPUs: close to 1 it may have been the limit.
   */
  public static final Metric LOAD_SIDE = new Metric("load side", "of its CPUs", 2);

  /** Delay of the load generator behind its schedule, at p99. */
  public static final Metric LAG = new Metric("lag", "ms", 3);

  /** Percentiles of response times that the lean-business-tier paper reports, and the median. */
  public static final List<String> TAIL = List.of("90", "93", "95", "96", "99", "99.9");

  /** Rate that an open load offers. */
  public static final Metric OFFERED = new Metric("offered", "1/s", 0);

  private static final Metric REPLICAS = new Metric("replicas", "processes", 0);
  private static final Metric BUSIEST = new Metric("busiest replica", "cores", 2);
  private static final Metric LARGEST = new Metric("largest replica", "MB", 0);
  private static final Metric ALL_REPLICAS = new Metric("all replicas", "MB", 0);
  private static final Metric PARENT = new Metric("parent", "MB", 0);
  private static final double MEGABYTE = 1 << 20;
  private static final Duration PIECE = Duration.ofSeconds(1);
  private static final double GROWTH = 1.05;

  private final String name;
  private final ServerProcess process;
  private final List<LoadRequest> requests;
  private final StubService stub;
  private final int calls;
  private final LoadSettings settings;
  private boolean replicasToo;
  private boolean tailToo;
  private final Clock clock = Clock.system();
  private int round;

  /**
   * A variant.
   *
   * @param requests requests that clients send in turn
   * @param calls calls of the stub that belong to each answer
   */
  public LoadVariant(
      String name,
      ServerProcess process,
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

  /** Also reports processor time and resident memory of each replica. */
  LoadVariant withReplicas() {
    replicasToo = true;
    return this;
  }

  /** Also reports the percentiles of {@link #TAIL} and the longest time. */
  public LoadVariant withTail() {
    tailToo = true;
    return this;
  }

  /** The same process under another load. */
  public LoadVariant under(String newName, LoadSettings other) {
    LoadVariant variant = new LoadVariant(newName, process, requests, stub, calls, other);
    variant.replicasToo = replicasToo;
    variant.tailToo = tailToo;
    return variant;
  }

  /** The process under load. */
  public ServerProcess process() {
    return process;
  }

  /** Right responses per second under this load, in one measurement. */
  public double capacity() throws MeasurementException, InterruptedException {
    return measure(0).value(Metric.THROUGHPUT);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void warmUp() throws MeasurementException, InterruptedException {
    if (settings.times().warmUp().isZero()) {
      return;
    }
    int few = Math.min(LoadSettings.WARM_UP_CLIENTS, settings.clients());
    checked(
        load(
            LoadPlan.of(requests, settings.clients(), settings.times().ramp())
                .onThreads(settings.threads())
                .warmingUp(settings.times().warmUp(), few)));
    settle();
  }

  /** Loads in pieces, until two successive ones are no faster than the best one before. */
  private void settle() throws MeasurementException, InterruptedException {
    LoadPlan piece =
        LoadPlan.of(requests, settings.clients(), PIECE)
            .onThreads(settings.threads())
            .warmingUp(Duration.ZERO, settings.clients());
    double best = 0;
    int level = 0;
    for (long left = settings.times().settling().dividedBy(PIECE); left > 0 && level < 2; left--) {
      LoadResult result = load(piece);
      checked(result);
      level = result.throughput() > GROWTH * best ? 0 : level + 1;
      best = Math.max(best, result.throughput());
    }
  }

  /** Arrivals and think times depend on the round and are the same for all variants. */
  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    round++;
    return measure(round);
  }

  private Sample measure(int seed) throws MeasurementException, InterruptedException {
    long startNanos = clock.nanoTime();
    ProcessCpuTime before = process.cpu();
    long ownNanos = BenchmarkJvm.cpuNanos();
    LoadResult result = load(plan(seed));
    ownNanos = BenchmarkJvm.cpuNanos() - ownNanos;
    if (settings.arrivals() == null) {
      checked(result);
    }
    if (result.rightResponses() == 0) {
      throw new MeasurementException(
          "expected right answers from " + name + ", found none:\n" + result.errorLines());
    }
    Duration cpu = process.cpu().since(before);
    long elapsedNanos = clock.nanoTime() - startNanos;
    Map<Metric, Double> values = new LinkedHashMap<>();
    values.put(Metric.THROUGHPUT, result.throughput());
    Arrivals arrivals = settings.arrivals();
    if (arrivals != null) {
      values.put(OFFERED, arrivals.perSecond());
    }
    values.put(EXCHANGES, (calls + 1) * result.throughput());
    values.put(PER_CPU, (calls + 1) * result.allAnswers() * 1e9 / Math.max(1, cpu.toNanos()));
    values.put(Metric.CPU, cpu.toNanos() / 1e3 / result.allAnswers());
    values.put(Metric.ERRORS, (double) result.errorCount());
    values.put(BUSY, (double) cpu.toNanos() / elapsedNanos);
    addTimes(values, result);
    addGenerator(values, result);
    values.put(LOAD_SIDE, (double) ownNanos / elapsedNanos / BenchmarkJvm.cpus());
    Map<Metric, Double> parts = new LinkedHashMap<>();
    if (replicasToo) {
      addReplicas(values, parts, before, elapsedNanos);
    }
    return new Sample(values, parts);
  }

  /**
   * Reports the load as its generator saw it, from which doubts about a measurement follow, and the
   * median time, by which its lag is judged.
   */
  public static void addGenerator(Map<Metric, Double> values, LoadResult result) {
    values.put(Metric.P50, result.latencyMillis(50));
    values.put(Metric.GENERATOR, result.generator().busiestLoop());
    values.put(LAG, result.generator().lagMillis(99));
  }

  private void addTimes(Map<Metric, Double> values, LoadResult result) {
    values.put(Metric.P50, result.latencyMillis(50));
    if (!tailToo) {
      values.put(Metric.P99, result.latencyMillis(99));
      return;
    }
    for (String percent : TAIL) {
      values.put(Metric.percentile(percent), result.latencyMillis(Double.parseDouble(percent)));
    }
    values.put(Metric.MAX, result.maxMillis());
  }

  /** Replicas are numbered in the order of their start, which is that of the plan. */
  private void addReplicas(
      Map<Metric, Double> values,
      Map<Metric, Double> parts,
      ProcessCpuTime before,
      long elapsedNanos)
      throws MeasurementException {
    ProcessCpuTime now = process.cpu();
    List<ProcessHandle> replicas =
        process.replicas().stream().sorted(Comparator.comparingLong(ProcessHandle::pid)).toList();
    double busiest = 0;
    double largest = 0;
    for (int i = 0; i < replicas.size(); i++) {
      long pid = replicas.get(i).pid();
      double cores = (double) now.since(before, pid).toNanos() / elapsedNanos;
      double megabytes = ProcFileSystem.residentBytes(pid) / MEGABYTE;
      parts.put(new Metric("cpu of replica " + i, "cores", 2), cores);
      parts.put(new Metric("memory of replica " + i, "MB", 0), megabytes);
      busiest = Math.max(busiest, cores);
      largest = Math.max(largest, megabytes);
    }
    values.put(REPLICAS, (double) replicas.size());
    values.put(BUSIEST, busiest);
    values.put(LARGEST, largest);
    values.put(ALL_REPLICAS, process.replicaMemory() / MEGABYTE);
    values.put(PARENT, ProcFileSystem.residentBytes(process.parent().pid()) / MEGABYTE);
  }

  private LoadPlan plan(int seed) {
    LoadPlan plan =
        LoadPlan.of(requests, settings.clients(), settings.times().duration())
            .onThreads(settings.threads())
            .warmingUp(settings.times().ramp(), settings.clients());
    Arrivals arrivals = settings.arrivals();
    return arrivals == null
        ? plan.thinking(settings.thinkTime(), seed)
        : plan.arriving(arrivals, seed);
  }

  private LoadResult load(LoadPlan plan) throws InterruptedException {
    stub.reset();
    return LoadGenerator.run(plan);
  }

  private void checked(LoadResult result) throws MeasurementException {
    if (result.errorCount() > 0) {
      throw new MeasurementException(
          "expected right answers only from " + name + ", found:\n" + result.errorLines());
    }
    if (result.allAnswers() == 0) {
      throw new MeasurementException("expected answers from " + name + ", found none");
    }
    StubStatistics stats = stub.stats();
    long expected = calls * result.allAnswers();
    if (stats.total() != expected || stats.malformed() != 0 || stats.failed() != 0) {
      throw new MeasurementException(
          "expected " + expected + " calls of the stub by " + name + ", found " + stats);
    }
  }
}
