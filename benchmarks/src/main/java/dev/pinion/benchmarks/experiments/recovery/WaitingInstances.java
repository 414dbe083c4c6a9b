package dev.pinion.benchmarks.experiments.recovery;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.load.LoadGenerator;
import dev.pinion.workloads.load.LoadPlan;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.LoadResult;
import dev.pinion.workloads.load.ResponseCheck;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Instances that wait for a timer that does not fire: 100 bytes of input, one timer, durability
 * {@code sync}. And others that end at once, which leave only records behind.
 *
 * @param clients number of clients that start them
 * @param threads event loops of these clients
 */
record WaitingInstances(int clients, int threads) {
  private static final String DEFINITION =
      """
      document:
        dsl: '1.0.3'
        namespace: recovery
        name: %s
        version: '1.0.0'
        metadata: { pinion: { durability: sync } }
      do:
        - %s
      """;

  private static final String BODY = "{\"input\":{\"text\":\"" + "x".repeat(89) + "\"}}";

  /** Longest time for starting all. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  static void deploy(Testbed testbed, ServerProcess engine)
      throws MeasurementException, InterruptedException {
    testbed.deploy(
        engine, "waits", DEFINITION.formatted("waits", "nap: { wait: { hours: 1000 } }"));
    testbed.deploy(
        engine, "ends", DEFINITION.formatted("ends", "note: { set: { seen: '${ .text }' } }"));
  }

  /** Starts instances that stay waiting. */
  void startWaiting(ServerProcess engine, long count)
      throws MeasurementException, InterruptedException {
    start(engine, "waits", count);
  }

  /** Starts instances that end. */
  void startEnding(ServerProcess engine, long count)
      throws MeasurementException, InterruptedException {
    start(engine, "ends", count);
  }

  private void start(ServerProcess engine, String name, long count)
      throws MeasurementException, InterruptedException {
    URI uri = engine.uri().resolve("/v1/namespaces/recovery/definitions/" + name + "/instances");
    LoadPlan plan =
        LoadPlan.of(
                List.of(LoadRequest.post(uri, BODY, ResponseCheck.success())), clients, PATIENCE)
            .warmingUp(Duration.ZERO, 1)
            .endingAfter(count)
            .onThreads(threads);
    LoadResult result = LoadGenerator.run(plan);
    if (result.errorCount() > 0 || result.rightResponses() < count) {
      throw new MeasurementException(
          "expected "
              + count
              + " starts of "
              + name
              + " on "
              + engine.name()
              + ", found "
              + result.rightResponses()
              + " and "
              + result.errorLines());
    }
  }
}
