package dev.pinion.bootstrap.conformance;

import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.model.Clock;
import dev.pinion.core.settings.StageLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Runs many scenarios, several at a time: most of their time is waiting. */
public final class ConformanceRun {
  /** Scenarios at a time, for each CPU and at most. */
  private static final int FOR_EACH_CPU = 4;

  private static final int MOST = 16;

  private final Clock clock;
  private final Supplier<ProtocolClient> protocols;
  private final ScenarioProgress progress;

  /**
   * A run.
   *
   * @param protocols makes the client of protocols besides plain HTTP of an engine
   * @param progress told of each scenario that has ended
   */
  public ConformanceRun(
      Clock clock, Supplier<ProtocolClient> protocols, ScenarioProgress progress) {
    this.clock = clock;
    this.protocols = protocols;
    this.progress = progress;
  }

  /** Told how far a run is. */
  @FunctionalInterface
  public interface ScenarioProgress {
    /**
     * Reports that a scenario has ended. Any thread, one at a time.
     *
     * @param done scenarios that have ended
     * @param all scenarios of the run
     */
    void onEnded(int done, int all);
  }

  /** Runs scenarios; the results are in their order. */
  public ConformanceReport run(List<Scenario> scenarios) throws InterruptedException {
    long began = clock.nanoTime();
    int threads =
        Math.clamp((long) Runtime.getRuntime().availableProcessors() * FOR_EACH_CPU, 1, MOST);
    AtomicInteger done = new AtomicInteger();
    List<ScenarioResult> results = new ArrayList<>();
    try (ScenarioRunner runner = new ScenarioRunner(new StageLayout.Fused(1), protocols);
        ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<ScenarioResult>> pending = new ArrayList<>();
      for (Scenario scenario : scenarios) {
        pending.add(
            pool.submit(
                () -> {
                  ScenarioResult result = runner.run(scenario);
                  report(done.incrementAndGet(), scenarios.size());
                  return result;
                }));
      }
      for (Future<ScenarioResult> each : pending) {
        results.add(each.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a scenario could not be run", e.getCause());
    }
    return new ConformanceReport(results, Duration.ofNanos(clock.nanoTime() - began));
  }

  private synchronized void report(int done, int all) {
    progress.onEnded(done, all);
  }
}
