package dev.pinion.bootstrap.cli;

import dev.pinion.broker.admission.Decision;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.optimise.Optimum;
import dev.pinion.broker.optimise.Result;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Result of {@code broker solve}, for people. */
final class SolvedText {
  private final PrintWriter out;

  SolvedText(PrintWriter out) {
    this.out = out;
  }

  void print(SolvedProblem solved) {
    String id = solved.problem().id();
    switch (solved.result()) {
      case Result.Optimal optimal -> plan(id + ": optimal", solved, optimal.optimum());
      case Result.Infeasible infeasible ->
          out.println(
              id
                  + ": infeasible, no plan keeps all bounds; they would be broken by "
                  + number(infeasible.violation())
                  + " in sum, relative to themselves");
      case Result.Unknown _ -> {} // reported as a failure
    }
    Optimum relaxed = solved.relaxed();
    if (relaxed != null) {
      out.println();
      plan("Degraded", solved, relaxed);
    }
    if (!solved.requests().isEmpty()) {
      requests(solved.requests());
    }
    out.flush();
  }

  private void plan(String title, SolvedProblem solved, Optimum optimum) {
    out.println(title + ", objective " + number(optimum.objective()));
    out.println();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("CLASS", "R", "BOUND", "D", "BOUND", "C", "BOUND", "SERVED"));
    for (int i = 0; i < optimum.classes().size(); i++) {
      rows.add(levels(solved.problem().classes().get(i), optimum.classes().get(i)));
    }
    Output.table(out, rows);
    out.println();
    out.println("Bounds it stands at: " + orNone(String.join(", ", optimum.tight())));
    optimum.slacks().forEach((row, by) -> out.println("Broken: " + row + " by " + number(by)));
    shares(optimum);
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

  private void shares(Optimum optimum) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("CLASS", "TASK", "SHARE", "IMPLEMENTATION"));
    for (ClassLevel level : optimum.classes()) {
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
    Output.table(out, rows);
  }

  private void requests(List<SolvedProblem.Request> requests) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("CONTRACT", "RATE", "DECISION", "GAIN/S", "MOST THAT FITS"));
    for (SolvedProblem.Request each : requests) {
      rows.add(
          List.of(
              (each.request().joins() ? "more of " : "") + each.request().candidate().id(),
              number(each.request().rate()),
              decision(each.decision()),
              gain(each.decision()),
              each.maxRate() == Double.POSITIVE_INFINITY ? "no limit" : number(each.maxRate())));
    }
    out.println();
    Output.table(out, rows);
  }

  private static String decision(Decision decision) {
    return switch (decision) {
      case Decision.Admitted _ -> "admit";
      case Decision.Loss _ -> "refuse: loses money";
      case Decision.Infeasible _ -> "refuse: infeasible";
      case Decision.Undecided _ -> "refuse: undecided";
    };
  }

  private static String gain(Decision decision) {
    return switch (decision) {
      case Decision.Admitted admitted ->
          admitted.gain().isPresent() ? number(admitted.gain().getAsDouble()) : "-";
      case Decision.Loss loss -> number(loss.gain());
      case Decision.Infeasible _, Decision.Undecided _ -> "-";
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
