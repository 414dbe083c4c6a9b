package dev.pinion.bootstrap.cli.broker;

import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.optimise.AdmissionDecision;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.optimise.OptimalPlan;
import dev.pinion.broker.optimise.OptimisationResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Result of {@code broker solve}, for people. */
final class SolveReportText {
  private final PrintWriter out;

  SolveReportText(PrintWriter out) {
    this.out = out;
  }

  void print(SolveReport solved) {
    String id = solved.problem().id();
    switch (solved.result()) {
      case OptimisationResult.Optimal optimal -> plan(id + ": optimal", solved, optimal.optimum());
      case OptimisationResult.Infeasible infeasible ->
          out.println(
              id
                  + ": infeasible, no plan keeps all bounds; they would be broken by "
                  + number(infeasible.violation())
                  + " in sum, relative to themselves");
      case OptimisationResult.Unknown _ -> {} // reported as a failure
    }
    OptimalPlan relaxed = solved.relaxed();
    if (relaxed != null) {
      out.println();
      plan("Degraded", solved, relaxed);
    }
    if (!solved.requests().isEmpty()) {
      requests(solved.requests());
    }
    out.flush();
  }

  private void plan(String title, SolveReport solved, OptimalPlan optimalPlan) {
    out.println(title + ", objective " + number(optimalPlan.objective()));
    out.println();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("CLASS", "R", "BOUND", "D", "BOUND", "C", "BOUND", "SERVED"));
    for (int i = 0; i < optimalPlan.classes().size(); i++) {
      rows.add(levels(solved.problem().classes().get(i), optimalPlan.classes().get(i)));
    }
    CommandOutput.table(out, rows);
    out.println();
    out.println("Bounds it stands at: " + orNone(String.join(", ", optimalPlan.tight())));
    optimalPlan.slacks().forEach((row, by) -> out.println("Broken: " + row + " by " + number(by)));
    shares(optimalPlan);
  }

  private static List<String> levels(ServiceClass promised, ClassLevel level) {
    return List.of(
        level.id(),
        number(level.response()),
        promised.boundsResponse() ? number(promised.maxResponse()) : "-",
        number(level.reliability()),
        promised.boundsReliability() ? number(promised.minReliability()) : "-",
        number(level.cost()),
        promised.boundsCost() ? number(promised.maxCost()) : "-",
        percent(level.served()));
  }

  private void shares(OptimalPlan optimalPlan) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("CLASS", "TASK", "SHARE", "IMPLEMENTATION"));
    for (ClassLevel level : optimalPlan.classes()) {
      level
          .shares()
          .forEach(
              (task, shares) -> {
                for (Share each : shares) {
                  String label = each.implementation().label();
                  rows.add(List.of(level.id(), task, percent(each.fraction()), label));
                }
              });
    }
    out.println();
    CommandOutput.table(out, rows);
  }

  private void requests(List<SolveReport.AdmissionOutcome> requests) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("CONTRACT", "RATE", "DECISION", "GAIN/S", "MOST THAT FITS"));
    for (SolveReport.AdmissionOutcome each : requests) {
      rows.add(
          List.of(
              (each.request().joins() ? "more of " : "") + each.request().candidate().id(),
              number(each.request().rate()),
              decision(each.decision()),
              gain(each.decision()),
              each.maxRate() == Double.POSITIVE_INFINITY ? "no limit" : number(each.maxRate())));
    }
    out.println();
    CommandOutput.table(out, rows);
  }

  private static String decision(AdmissionDecision admissionDecision) {
    return switch (admissionDecision) {
      case AdmissionDecision.Admitted _ -> "admit";
      case AdmissionDecision.Loss _ -> "refuse: loses money";
      case AdmissionDecision.Unattainable _ -> "refuse: infeasible";
      case AdmissionDecision.Undecided _ -> "refuse: undecided";
    };
  }

  private static String gain(AdmissionDecision admissionDecision) {
    return switch (admissionDecision) {
      case AdmissionDecision.Admitted admitted ->
          admitted.gain().isPresent() ? number(admitted.gain().getAsDouble()) : "-";
      case AdmissionDecision.Loss loss -> number(loss.gain());
      case AdmissionDecision.Unattainable _, AdmissionDecision.Undecided _ -> "-";
    };
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "none" : text;
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * fraction);
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.6g", value);
  }
}
