package dev.pinion.benchmarks.experiments.recovery;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ProcFileSystem;
import dev.pinion.benchmarks.testbed.ProcessCpuTime;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.LoadGenerator;
import dev.pinion.workloads.load.LoadPlan;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.LoadResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Kills the replica of a fresh engine under load, waits until it serves again, then kills its
 * parent and waits until no process of the engine is left. Every kill is SIGKILL. Each round has a
 * separate engine, so that the supervisor's back-off for a replica that dies repeatedly has no
 * effect.
 */
public final class RestartVariant implements Variant {
  /** Time from the kill of the replica to the first right response on the client port. */
  public static final Metric RESUMED = new Metric("resumed", "s", 3);

  /** Time from the kill of the parent until no process of the engine runs. */
  public static final Metric GONE = new Metric("gone", "s", 3);

  /** Whether that response required deploying definitions again. */
  private static final Metric REDEPLOYED = new Metric("redeployed", "times", 0);

  private static final Workload WORKLOAD = Workload.SEQUENTIAL;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final EngineLayout engineLayout;
  private final Testbed testbed;
  private final LoadSettings load;
  private int round;

  /**
   * A variant.
   *
   * @param load the load before the kill, for a measured time, and while the replica dies
   */
  public RestartVariant(EngineLayout engineLayout, Testbed testbed, LoadSettings load) {
    this.engineLayout = engineLayout;
    this.testbed = testbed;
    this.load = load;
  }

  @Override
  public String name() {
    return engineLayout.variant();
  }

  /** Every round starts cold. */
  @Override
  public void warmUp() {}

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    round++;
    try (ServerProcess engine = testbed.unwatched(name() + "-" + round, engineLayout)) {
      testbed.deployWorkloads(engine);
      Map<Metric, Double> values = new LinkedHashMap<>();
      measureBefore(engine, values);
      Thread clients = Thread.ofPlatform().name("clients").start(() -> load(engine));
      try {
        killReplica(engine, values);
      } finally {
        clients.interrupt();
        clients.join();
      }
      values.put(GONE, killParent(engine));
      return new Sample(values);
    }
  }

  /** The load before the kill: the cost of an instance, and a check that no response is wrong. */
  private void measureBefore(ServerProcess engine, Map<Metric, Double> values)
      throws MeasurementException, InterruptedException {
    ProcessCpuTime before = engine.cpu();
    LoadResult result =
        LoadGenerator.run(
            LoadPlan.of(
                    LoadRequest.starts(engine.uri(), WORKLOAD),
                    load.clients(),
                    load.times().duration())
                .onThreads(load.threads())
                .warmingUp(Duration.ZERO, 1));
    double micros = engine.cpu().since(before).toNanos() / 1e3;
    values.put(Metric.CPU, micros / Math.max(1, result.allAnswers()));
    values.put(Metric.ERRORS, (double) result.errorCount());
    LoadVariant.addGenerator(values, result);
  }

  /** Loads an engine until interrupted; errors are expected while its replica is dead. */
  private void load(ServerProcess engine) {
    List<LoadRequest> starts = LoadRequest.starts(engine.uri(), WORKLOAD);
    try {
      LoadGenerator.run(
          LoadPlan.of(starts, load.clients(), LoadPlan.MAX_TIME).onThreads(load.threads()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void killReplica(ServerProcess engine, Map<Metric, Double> values)
      throws MeasurementException, InterruptedException {
    try (AvailabilityProbe availabilityProbe = new AvailabilityProbe(engine.uri(), WORKLOAD)) {
      AvailabilityProbe.State before = availabilityProbe.probe();
      if (before != AvailabilityProbe.State.RIGHT) {
        throw new MeasurementException(
            "expected a right answer of " + engine.name() + " before the kill, found " + before);
      }
      int redeployed = 0;
      long startNanos = System.nanoTime();
      engine.replicas().forEach(ProcessHandle::destroyForcibly);
      AvailabilityProbe.State state = availabilityProbe.probe();
      while (state != AvailabilityProbe.State.RIGHT) {
        if (state == AvailabilityProbe.State.UNKNOWN_DEFINITION) {
          testbed.deployWorkloads(engine);
          redeployed++;
        } else {
          Thread.sleep(PAUSE);
        }
        requirePatience(startNanos, engine.name() + " to serve again, found " + state);
        state = availabilityProbe.probe();
      }
      values.put(RESUMED, secondsSince(startNanos));
      values.put(REDEPLOYED, (double) redeployed);
    }
  }

  private static double killParent(ServerProcess engine)
      throws MeasurementException, InterruptedException {
    long[] family =
        Stream.concat(Stream.of(engine.parent()), engine.replicas().stream())
            .mapToLong(ProcessHandle::pid)
            .toArray();
    long startNanos = System.nanoTime();
    engine.parent().destroyForcibly();
    while (LongStream.of(family).anyMatch(ProcFileSystem::isRunning)) {
      Thread.sleep(PAUSE);
      requirePatience(startNanos, "every process of " + engine.name() + " to end, found some left");
    }
    return secondsSince(startNanos);
  }

  private static void requirePatience(long startNanos, String expected)
      throws MeasurementException {
    if (System.nanoTime() - startNanos > PATIENCE.toNanos()) {
      throw new MeasurementException("expected within " + PATIENCE.toSeconds() + " s " + expected);
    }
  }

  private static double secondsSince(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
