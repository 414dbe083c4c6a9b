package dev.pinion.broker.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.pinion.broker.analyse.AdaptationDecision;
import dev.pinion.broker.analyse.Cause;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.registry.AuditLogEntry;
import dev.pinion.broker.registry.PlanInForce;
import dev.pinion.broker.registry.PlanState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes decisions of the broker's control loop, with the members of decisions about changes.
 * Thread-safe.
 */
public final class DecisionJson {
  private DecisionJson() {}

  /** A decision: causes, and the plans before and after. */
  public static String adaptation(AdaptationDecision decision) {
    return DocumentJson.text(
        new AdaptationDocument(
            new AuditLogEntry(
                decision.at(),
                "adaptation",
                decision.outcome().label(),
                decision.detail(),
                decision.after().version()),
            decision.causes(),
            shares(decision.before()),
            shares(decision.after())));
  }

  private static PlanShares shares(PlanInForce plan) {
    Map<String, Map<String, Map<String, Double>>> shares = new LinkedHashMap<>();
    for (ClassLevel each : plan.classes()) {
      shares.put(each.id(), BrokerJson.shares(each));
    }
    return new PlanShares(
        plan.version(), plan.state(), DocumentJson.finite(plan.objective()), shares);
  }

  record AdaptationDocument(
      @JsonUnwrapped AuditLogEntry entry,
      List<Cause> causes,
      PlanShares before,
      PlanShares after) {}

  record PlanShares(
      long version,
      PlanState state,
      @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Double objective,
      Map<String, Map<String, Map<String, Double>>> shares) {}
}
