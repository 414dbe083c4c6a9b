package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.DotPlot;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.chart.Interval;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.report.ResultFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Findings and figures of {@code experiment first-call}.
 *
 * @param results the table of fresh engines, one of first requests for each process, and that of
 *     fresh engines with a history and a broker
 * @param requestsOnly whether there are only those of first requests
 */
record FirstCallTables(List<ComparisonResults> results, boolean requestsOnly) {
  /** Variants to which the target applies. */
  private static final Set<String> WARMED_ENGINES =
      Set.of(FirstCallStarts.BOTH, FirstCallStarts.WARMED, FirstCallStarts.ALL);

  /** The target: the first request against the steady p99. */
  private static final double MOST = 3;

  /** Processes in the order of their tables. */
  private static final List<FirstRequestProcess> PROCESSES = List.of(FirstRequestProcess.values());

  /** The table of first requests of a process. */
  private ComparisonResults requests(FirstRequestProcess process) {
    return results.get(PROCESSES.indexOf(process) + (requestsOnly ? 0 : 1));
  }

  /** Ratios of first calls and requests to steady ones, and what each measure saves. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    if (!requestsOnly) {
      firstToSteady(results.getFirst(), OperationSet.ENGINE, findings);
      firstToSteady(results.getLast(), OperationSet.HISTORY_AND_BROKER, findings);
    }
    for (FirstRequestProcess process : PROCESSES) {
      ComparisonResults requests = requests(process);
      toSteady(requests, process.title(), findings);
      savings(requests, process, findings);
    }
    return findings;
  }

  private static void savings(
      ComparisonResults requests, FirstRequestProcess process, List<Finding> findings) {
    String name = process.title();
    if (process == FirstRequestProcess.CALL) {
      findings.add(
          saving(
              requests,
              name,
              "definitions compiled ahead",
              FirstCallStarts.PLAIN,
              FirstCallStarts.LATER));
    }
    for (String measure :
        List.of(
            FirstCallStarts.TRAINED,
            FirstCallStarts.WARMED,
            FirstCallStarts.BOTH,
            FirstCallStarts.CONNECTED,
            FirstCallStarts.ALL)) {
      if (requests.samples().containsKey(measure)) {
        findings.add(saving(requests, name, measure, measure, FirstCallStarts.PLAIN));
      }
    }
  }

  private static void toSteady(ComparisonResults requests, String subject, List<Finding> findings) {
    for (String variant : requests.samples().keySet()) {
      String name = subject + ": first request to steady p99, " + variant;
      if (WARMED_ENGINES.contains(variant)) {
        TargetFinding.atMost(name, ratios(requests, variant, FirstRequestVariant.RATIO), MOST)
            .forEach(findings::add);
        TargetFinding.atMost(
                name + ", since sent",
                ratios(requests, variant, FirstRequestVariant.SENT_RATIO),
                MOST)
            .forEach(findings::add);
      } else {
        List<Double> ratios = ratios(requests, variant, FirstRequestVariant.RATIO);
        findings.add(new Finding(name, SampleSummary.of(ratios), "not warmed"));
      }
    }
  }

  private static List<Double> ratios(ComparisonResults first, String variant, Metric ratio) {
    return first.samples().getOrDefault(variant, List.of()).stream()
        .map(sample -> sample.value(ratio))
        .toList();
  }

  /** Saving of a measure in the first request, and its cost before readiness. */
  private static Finding saving(
      ComparisonResults first, String subject, String measure, String with, String without) {
    return new Finding(
        subject + ": first request, with to without " + measure,
        SampleSummary.of(first.ratios(with, without, FirstRequestVariant.FIRST)),
        String.format(
            Locale.ROOT,
            "with it the first request takes %+.2f ms, and readiness %+.0f ms",
            change(first, with, without, FirstRequestVariant.FIRST),
            change(first, with, without, FirstRequestVariant.READY)));
  }

  /** Median over rounds of the difference of one variant to another one. */
  private static double change(ComparisonResults one, String variant, String other, Metric metric) {
    List<Sample> some = one.samples().getOrDefault(variant, List.of());
    List<Sample> others = one.samples().getOrDefault(other, List.of());
    List<Double> changes = new ArrayList<>();
    for (int round = 0; round < some.size(); round++) {
      changes.add(some.get(round).value(metric) - others.get(round).value(metric));
    }
    return SampleSummary.of(changes).median();
  }

  private static void firstToSteady(
      ComparisonResults one, OperationSet operationSet, List<Finding> findings) {
    for (String variant : one.samples().keySet()) {
      for (String operation : operationSet.names()) {
        String name = "first to steady, " + variant + ", " + operation;
        findings.add(new Finding(name, firstToSteady(one, variant, operation), ""));
      }
    }
  }

  private static SampleSummary firstToSteady(
      ComparisonResults one, String variant, String operation) {
    List<Double> ratios = new ArrayList<>();
    for (Sample sample : one.samples().getOrDefault(variant, List.of())) {
      double first = sample.value(FirstCallVariant.call(operation, 1));
      ratios.add(first / sample.value(FirstCallVariant.steady(operation)));
    }
    return SampleSummary.of(ratios);
  }

  /** Times of first and steady requests and calls of each variant. */
  List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    for (FirstRequestProcess process : PROCESSES) {
      figures.add(requestFigure(requests(process), process));
    }
    if (!requestsOnly) {
      figures.addAll(figures(results.getFirst(), OperationSet.ENGINE, ""));
      figures.addAll(
          figures(results.getLast(), OperationSet.HISTORY_AND_BROKER, " with history and broker"));
    }
    return figures;
  }

  private static Figure requestFigure(ComparisonResults one, FirstRequestProcess process) {
    List<DotPlot.PlotRow> rows = new ArrayList<>();
    for (String variant : one.samples().keySet()) {
      rows.add(row(one, variant, variant, "first request", FirstRequestVariant.FIRST));
      rows.add(row(one, variant, variant, "steady p99", FirstRequestVariant.STEADY));
    }
    String title = "First request after readiness, and steady p99 at 100/s: " + process.title();
    return new DotPlot(title, Axis.logarithmic("time to the answer", "ms"), rows);
  }

  private static List<Figure> figures(ComparisonResults one, OperationSet set, String beside) {
    List<Figure> figures = new ArrayList<>();
    for (String variant : one.samples().keySet()) {
      List<DotPlot.PlotRow> rows = new ArrayList<>();
      for (String operation : set.names()) {
        rows.add(row(one, variant, operation, "first", FirstCallVariant.call(operation, 1)));
        rows.add(row(one, variant, operation, "second", FirstCallVariant.call(operation, 2)));
        rows.add(row(one, variant, operation, "steady", FirstCallVariant.steady(operation)));
      }
      String title = "First and second call, and steady state: " + variant + beside;
      figures.add(new DotPlot(title, Axis.logarithmic("time to the answer", "ms"), rows));
    }
    return figures;
  }

  private static DotPlot.PlotRow row(
      ComparisonResults one, String variant, String operation, String which, Metric metric) {
    Interval time = ResultFigures.interval(one.summary(variant, metric));
    return new DotPlot.PlotRow(operation + ", " + which, which, time);
  }
}
