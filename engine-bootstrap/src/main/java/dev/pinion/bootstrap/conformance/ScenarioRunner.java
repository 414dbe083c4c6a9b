package dev.pinion.bootstrap.conformance;

import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.model.Clock;
import dev.pinion.core.settings.StageLayout;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs scenarios, each with services of its own and an engine that nobody else uses meanwhile. For
 * any thread.
 */
public final class ScenarioRunner implements AutoCloseable {
  private final Clock clock = Clock.system();
  private final InstalledPrograms programs = InstalledPrograms.ofPath();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final EnginePool engines;

  /**
   * A runner.
   *
   * @param layout event loops of the engines
   */
  public ScenarioRunner(StageLayout layout) {
    this(layout, () -> ProtocolClient.NONE);
  }

  /**
   * A runner.
   *
   * @param layout event loops of the engines
   * @param protocols makes the client of protocols besides plain HTTP of an engine
   */
  public ScenarioRunner(StageLayout layout, Supplier<ProtocolClient> protocols) {
    this.engines = new EnginePool(layout, protocols, client, clock);
  }

  /** Runs a scenario to its end. */
  public ScenarioResult run(Scenario scenario) throws InterruptedException {
    Optional<String> missing = programs.missing(scenario);
    if (missing.isPresent()) {
      String reason = "expected " + missing.get() + " on PATH, found none";
      return new ScenarioResult(scenario, ScenarioOutcome.SKIPPED, reason, Duration.ZERO);
    }
    long began = clock.nanoTime();
    String failure = failure(scenario);
    Duration taken = Duration.ofNanos(clock.nanoTime() - began);
    ScenarioOutcome outcome =
        failure.isEmpty() ? ScenarioOutcome.PASSED : ScenarioOutcome.ofFailure(scenario);
    return new ScenarioResult(scenario, outcome, failure, taken);
  }

  /** Runs the steps; returns the failed one with its reason, or an empty text. */
  private String failure(Scenario scenario) throws InterruptedException {
    try (ScenarioServices services = new ScenarioServices(clock)) {
      ConformanceEngine engine = engines.take();
      ScenarioRun run = new ScenarioRun(engine, services, clock);
      boolean finished = false;
      try {
        String failure = perform(scenario, run);
        finished = true;
        return failure;
      } finally {
        engines.giveBack(engine, finished && !run.hasPublished());
      }
    } catch (IOException e) {
      return "the scenario could not be run: " + e;
    }
  }

  private static String perform(Scenario scenario, ScenarioRun run) throws InterruptedException {
    for (ScenarioStep step : scenario.steps()) {
      try {
        StepCatalog.perform(step, run);
      } catch (ScenarioFailure e) {
        return step.text() + " " + e.getMessage();
      } catch (IOException | RuntimeException e) { // a broken step must not end the whole run
        return step.text() + " failed: " + e;
      }
    }
    return "";
  }

  @Override
  public void close() {
    engines.close();
    client.close();
  }
}
