package dev.pinion.broker.document;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.analyse.AdaptationDecision;
import dev.pinion.broker.analyse.Cause;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.registry.PlanInForce;

/**
 * Writes decisions of the broker's control loop, with the members of decisions about changes.
 * Thread-safe.
 */
public final class DecisionJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private DecisionJson() {}

  /** A decision: causes, and the plans before and after. */
  public static String adaptation(AdaptationDecision decision) {
    ObjectNode root = JSON.createObjectNode().put("at", decision.at().toString());
    root.put("change", "adaptation").put("outcome", decision.outcome().label());
    root.put("reason", decision.detail()).put("plan", decision.after().version());
    ArrayNode causes = root.putArray("causes");
    for (Cause each : decision.causes()) {
      ObjectNode cause = causes.addObject().put("rule", each.rule().label());
      cause.put("subject", each.subject()).put("detail", each.detail());
    }
    plan(root.putObject("before"), decision.before());
    plan(root.putObject("after"), decision.after());
    return root.toString();
  }

  private static void plan(ObjectNode node, PlanInForce plan) {
    node.put("version", plan.version()).put("state", plan.state().label());
    if (Double.isFinite(plan.objective())) {
      node.put("objective", plan.objective());
    } else {
      node.putNull("objective");
    }
    ObjectNode classes = node.putObject("shares");
    for (ClassLevel level : plan.classes()) {
      ObjectNode tasks = classes.putObject(level.id());
      level
          .shares()
          .forEach(
              (task, shares) -> {
                ObjectNode one = tasks.putObject(task);
                shares.forEach(each -> one.put(each.implementation().label(), each.fraction()));
              });
    }
  }
}
