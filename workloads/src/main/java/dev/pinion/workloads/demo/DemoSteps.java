package dev.pinion.workloads.demo;

import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.LoadGenerator;
import dev.pinion.workloads.load.LoadPlan;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.LoadResult;
import dev.pinion.workloads.load.ProgressBar;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The steps of the demonstration against a running engine and stub. */
final class DemoSteps implements AutoCloseable {
  private static final int FIRST_INPUT = 1;

  private final URI engineUri;
  private final URI stubUri;
  private final DemoSettings settings;
  private final DemoEngineClient engine;
  private final StubClient stub;

  DemoSteps(URI engineUri, URI stubUri, DemoSettings settings) {
    this.engineUri = engineUri;
    this.stubUri = stubUri;
    this.settings = settings;
    engine = new DemoEngineClient(engineUri);
    stub = new StubClient(stubUri);
  }

  void deployAll() throws DemoException, InterruptedException {
    for (Workload workload : Workload.values()) {
      engine.deploy(workload, stubUri);
    }
  }

  /** Runs one instance of each workload. */
  List<InstanceResult> runAll() throws DemoException, InterruptedException {
    stub.reset();
    List<InstanceResult> runs = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      runs.add(engine.run(workload, workload.input(FIRST_INPUT)));
    }
    return runs;
  }

  /** Compares the expected calls of these instances with the stub's counts. */
  CallReconciliation account(List<InstanceResult> runs) throws DemoException, InterruptedException {
    return CallReconciliation.of(runs, stub.stats());
  }

  /** Loads the engine with one workload. */
  LoadOutcome load(Workload workload) throws DemoException, InterruptedException {
    stub.reset();
    LoadPlan plan =
        LoadPlan.of(
                LoadRequest.starts(engineUri, workload), settings.clients(), settings.measured())
            .warmingUp(settings.warmUp(), Math.min(4, settings.clients()));
    try (ProgressBar bar = ProgressBar.onTerminal(workload.id())) {
      LoadResult result = LoadGenerator.run(plan, bar);
      return new LoadOutcome(workload, result, stub.stats().total());
    }
  }

  @Override
  public void close() {
    engine.close();
    stub.close();
  }
}
