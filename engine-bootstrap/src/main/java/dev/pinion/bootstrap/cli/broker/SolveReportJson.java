package dev.pinion.bootstrap.cli.broker;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.broker.optimise.AdmissionDecision;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.optimise.OptimalPlan;
import dev.pinion.broker.optimise.OptimisationResult;

/** Result of {@code broker solve}, in the format of expectations in cases of the schema. */
final class SolveReportJson {
  private SolveReportJson() {}

  static ObjectNode of(SolveReport solved) {
    ObjectNode root = CommandOutput.JSON.createObjectNode();
    switch (solved.result()) {
      case OptimisationResult.Optimal(OptimalPlan optimalPlan) -> {
        root.put("status", "optimal");
        plan(root, optimalPlan);
      }
      case OptimisationResult.Infeasible infeasible ->
          root.put("status", "infeasible")
              .put("columns", infeasible.columns())
              .put("rows", infeasible.rows());
      case OptimisationResult.Unknown _ ->
          throw new IllegalStateException("expected a proved result, found " + solved.result());
    }
    OptimalPlan relaxed = solved.relaxed();
    if (relaxed != null) {
      plan(root.putObject("degraded"), relaxed);
    }
    if (!solved.requests().isEmpty()) {
      ArrayNode admission = root.putArray("admission");
      solved.requests().forEach(each -> request(admission.addObject(), each));
    }
    return root;
  }

  private static void plan(ObjectNode node, OptimalPlan optimalPlan) {
    node.put("columns", optimalPlan.size().columns());
    node.put("rows", optimalPlan.size().rows());
    node.put("objective", optimalPlan.objective());
    ObjectNode classes = node.putObject("classes");
    optimalPlan.classes().forEach(each -> level(classes.putObject(each.id()), each));
    ArrayNode tight = node.putArray("tight");
    optimalPlan.tight().forEach(tight::add);
    ObjectNode slacks = node.putObject("slacks");
    optimalPlan.slacks().forEach((row, value) -> slacks.put(row.replaceFirst("^sla:", ""), value));
    ObjectNode shares = node.putObject("x");
    optimalPlan.classes().forEach(each -> shares(shares.putObject(each.id()), each));
  }

  /** A class that is not served has no levels. */
  private static void level(ObjectNode node, ClassLevel level) {
    put(node, "R", level.response());
    put(node, "D", level.reliability());
    put(node, "lnD", level.logReliability());
    put(node, "C", level.cost());
    node.put("served", level.served());
  }

  /** JSON has neither infinity nor NaN: both become null. */
  private static void put(ObjectNode node, String key, double value) {
    if (Double.isFinite(value)) {
      node.put(key, value);
    } else {
      node.putNull(key);
    }
  }

  private static void shares(ObjectNode node, ClassLevel level) {
    level
        .shares()
        .forEach(
            (task, shares) -> {
              ObjectNode one = node.putObject(task);
              shares.forEach(each -> one.put(each.implementation().label(), each.fraction()));
            });
  }

  private static void request(ObjectNode node, SolveReport.AdmissionOutcome admissionOutcome) {
    AdmissionDecision admissionDecision = admissionOutcome.decision();
    node.put(
        "feasible",
        admissionDecision instanceof AdmissionDecision.Admitted
            || admissionDecision instanceof AdmissionDecision.Loss);
    put(node, "max_rate", admissionOutcome.maxRate());
    switch (admissionDecision) {
      case AdmissionDecision.Admitted admitted -> {
        node.put("objective_after", admitted.plan().objective());
        admitted.gain().ifPresent(gain -> node.put("profit_delta", gain));
      }
      case AdmissionDecision.Loss loss -> {
        node.put("objective_after", loss.plan().objective());
        node.put("profit_delta", loss.gain());
      }
      case AdmissionDecision.Unattainable _, AdmissionDecision.Undecided _ -> {}
    }
    node.put("admit", admissionDecision instanceof AdmissionDecision.Admitted);
  }
}
