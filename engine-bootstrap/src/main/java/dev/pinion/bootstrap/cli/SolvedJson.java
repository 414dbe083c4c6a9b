package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.admission.Decision;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.optimise.Optimum;
import dev.pinion.broker.optimise.Result;

/** Result of {@code broker solve}, in the format of expectations in cases of the schema. */
final class SolvedJson {
  private SolvedJson() {}

  static ObjectNode of(SolvedProblem solved) {
    ObjectNode root = Output.JSON.createObjectNode();
    switch (solved.result()) {
      case Result.Optimal(Optimum optimum) -> {
        root.put("status", "optimal");
        plan(root, optimum);
      }
      case Result.Infeasible infeasible ->
          root.put("status", "infeasible")
              .put("columns", infeasible.columns())
              .put("rows", infeasible.rows());
      case Result.Unknown _ ->
          throw new IllegalStateException("expected a proved result, found " + solved.result());
    }
    Optimum relaxed = solved.relaxed();
    if (relaxed != null) {
      plan(root.putObject("degraded"), relaxed);
    }
    if (!solved.requests().isEmpty()) {
      ArrayNode admission = root.putArray("admission");
      solved.requests().forEach(each -> request(admission.addObject(), each));
    }
    return root;
  }

  private static void plan(ObjectNode node, Optimum optimum) {
    node.put("columns", optimum.columns());
    node.put("rows", optimum.rows());
    node.put("objective", optimum.objective());
    ObjectNode classes = node.putObject("classes");
    optimum.classes().forEach(each -> level(classes.putObject(each.id()), each));
    ArrayNode tight = node.putArray("tight");
    optimum.tight().forEach(tight::add);
    ObjectNode slacks = node.putObject("slacks");
    optimum.slacks().forEach((row, value) -> slacks.put(row.replaceFirst("^sla:", ""), value));
    ObjectNode shares = node.putObject("x");
    optimum.classes().forEach(each -> shares(shares.putObject(each.id()), each));
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

  private static void request(ObjectNode node, SolvedProblem.Request request) {
    Decision decision = request.decision();
    node.put(
        "feasible", decision instanceof Decision.Admitted || decision instanceof Decision.Loss);
    put(node, "max_rate", request.maxRate());
    switch (decision) {
      case Decision.Admitted admitted -> {
        node.put("objective_after", admitted.plan().objective());
        admitted.gain().ifPresent(gain -> node.put("profit_delta", gain));
      }
      case Decision.Loss loss -> {
        node.put("objective_after", loss.plan().objective());
        node.put("profit_delta", loss.gain());
      }
      case Decision.Infeasible _, Decision.Undecided _ -> {}
    }
    node.put("admit", decision instanceof Decision.Admitted);
  }
}
