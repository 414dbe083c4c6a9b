package dev.pinion.workloads.demo;

import dev.pinion.workloads.load.LoadResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints the results of a demonstration for a person, as they come. */
final class DemoPrinter {
  private final PrintWriter out;

  DemoPrinter(PrintWriter out) {
    this.out = out;
  }

  void topology(String text) {
    heading("Machine");
    text.lines().forEach(line -> out.printf(Locale.ROOT, "  %s%n", line));
    out.flush();
  }

  /** Prints a warning if others keep the machine busy, beside the numbers affected by it. */
  void load(MachineLoad load) {
    if (load.isBusy()) {
      out.printf(Locale.ROOT, "  %s%n", load.warning());
      out.flush();
    }
  }

  void processes(List<ProcessPlacement> processes) {
    heading("What runs where");
    for (ProcessPlacement process : processes) {
      out.printf(
          Locale.ROOT,
          "  %-10s pid %-8d CPUs %-10s %s%n",
          process.name(),
          process.pid(),
          process.cpus(),
          process.uri() == null ? "" : process.uri());
    }
    out.flush();
  }

  void runs(List<InstanceResult> runs) {
    heading(
        "One instance of each workload, cold: the first one in an engine that has just started");
    for (InstanceResult run : runs) {
      out.printf(
          Locale.ROOT,
          "  %-14s %-10s %7.1f ms  %s -> %s%n",
          run.workload().id(),
          run.state(),
          run.millis(),
          run.input(),
          run.output());
      if (run.problem() != null) {
        out.printf(
            Locale.ROOT,
            "    not as expected, %s: %s%n",
            run.problem().kind(),
            run.problem().detail());
      }
    }
    out.flush();
  }

  void calls(CallReconciliation calls) {
    String services =
        calls.found().services().entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
    out.printf(
        Locale.ROOT,
        "  Calls: %d expected, %d counted by the stub (%s)%n",
        calls.expectedTotal(),
        calls.found().total(),
        services);
    calls
        .discrepancies()
        .forEach(sentence -> out.printf(Locale.ROOT, "    not as expected: %s%n", sentence));
    out.flush();
  }

  void loadHeading(DemoSettings settings) {
    heading(
        String.format(
            Locale.ROOT,
            "Throughput, warm: %d clients, %s s each, %s s of it to warm up",
            settings.clients(),
            seconds(settings.load()),
            seconds(settings.warmUp())));
    out.printf(Locale.ROOT, "  %s%n", LoadResult.tableHead("workload"));
    out.flush();
  }

  void load(LoadOutcome load) {
    out.printf(Locale.ROOT, "  %s%n", load.result().row(load.workload().id()));
    if (load.calls() != load.expectedCalls()) {
      out.printf(
          Locale.ROOT,
          "    not as expected: %d calls for %d instances, found %d%n",
          load.expectedCalls(),
          load.result().sent(),
          load.calls());
    }
    out.print(load.result().errorLines());
    out.flush();
  }

  void printKept(List<ProcessPlacement> processes, List<Long> pids, Path directory) {
    heading("Left running");
    for (ProcessPlacement process : processes) {
      if (process.uri() != null) {
        out.printf(Locale.ROOT, "  %-8s %s%n", process.name(), process.uri());
      }
    }
    out.printf(
        Locale.ROOT,
        "  stop them with: kill %s%n",
        pids.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    out.printf(Locale.ROOT, "  data and logs: %s%n", directory);
    out.flush();
  }

  void end(boolean right) {
    heading(
        right
            ? "Every result is right and every call is accounted for."
            : "Something is not as expected, see above.");
    out.flush();
  }

  private void heading(String text) {
    out.printf(Locale.ROOT, "%n%s%n", text);
  }

  private static String seconds(Duration time) {
    double seconds = time.toMillis() / 1_000.0;
    return seconds == Math.rint(seconds) ? Long.toString((long) seconds) : Double.toString(seconds);
  }
}
