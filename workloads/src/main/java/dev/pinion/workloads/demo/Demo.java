package dev.pinion.workloads.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.workloads.catalog.Workload;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/**
 * The demonstration: starts engine and stub, deploys every workload, runs each once, accounts for
 * every call, loads the engine with each, and stops everything.
 */
public final class Demo {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Class<?> main;
  private final DemoSettings settings;
  private final boolean json;
  private final PrintWriter out;
  private final DemoPrinter text;

  /**
   * A demonstration.
   *
   * @param main main class of this module, whose command {@code stub} is started
   * @param json whether to print one JSON document at the end instead of text
   */
  public Demo(Class<?> main, DemoSettings settings, boolean json, PrintWriter out) {
    this.main = main;
    this.settings = settings;
    this.json = json;
    this.out = out;
    text = new DemoPrinter(json ? new PrintWriter(Writer.nullWriter()) : out);
  }

  /**
   * Runs the demonstration to its end.
   *
   * @return whether everything is as expected
   */
  public boolean run() throws DemoException, InterruptedException {
    return run(DemoLauncher.find());
  }

  /** Runs the demonstration with this launcher. */
  boolean run(DemoLauncher demoLauncher) throws DemoException, InterruptedException {
    MachineLoad before = MachineLoad.now();
    String topology = demoLauncher.topology(json);
    text.topology(topology);
    text.load(before);
    try (DemoProcesses processes = new DemoProcesses(settings.keep())) {
      processes.endWithThisProcess();
      JsonNode stub = processes.startStub(main);
      JsonNode engine = processes.startEngine(demoLauncher);
      List<ProcessPlacement> running = new ArrayList<>(ProcessPlacement.ofEngine(engine));
      running.add(ProcessPlacement.ofStub(stub));
      text.processes(running);
      DemoReport report =
          run(
              json ? parse(topology) : JSON.nullNode(),
              before,
              running,
              new DemoSteps(ChildProcess.uri(engine), ChildProcess.uri(stub), settings));
      if (settings.keep()) {
        processes.keepRunning();
        text.printKept(running, processes.pids(), processes.directory());
      }
      text.end(report.isRight());
      if (json) {
        out.println(report.toJson());
        out.flush();
      }
      return report.isRight();
    }
  }

  /** The steps between start and stop. */
  private DemoReport run(
      JsonNode topology, MachineLoad before, List<ProcessPlacement> running, DemoSteps steps)
      throws DemoException, InterruptedException {
    try (steps) {
      steps.deployAll();
      List<InstanceResult> runs = steps.runAll();
      text.runs(runs);
      CallReconciliation calls = steps.account(runs);
      text.calls(calls);
      List<LoadOutcome> loads = new ArrayList<>();
      text.loadHeading(settings);
      for (Workload workload : Workload.values()) {
        LoadOutcome load = steps.load(workload);
        loads.add(load);
        text.load(load);
      }
      return new DemoReport(topology, before, running, runs, calls, loads, settings.keep());
    }
  }

  private static JsonNode parse(String topology) throws DemoException {
    try {
      return JSON.readTree(topology);
    } catch (JsonProcessingException other) {
      throw new DemoException("expected the topology as JSON, found " + topology, other);
    }
  }
}
