package dev.pinion.bootstrap.cli.broker;

import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.optimise.AdmissionDecision;
import dev.pinion.broker.optimise.OptimalPlan;
import dev.pinion.broker.optimise.OptimisationResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A problem, and the results of {@code broker solve}.
 *
 * @param problem the problem
 * @param result best plan, or infeasibility
 * @param relaxed the best plan that violates bounds; null where none has to be violated
 * @param requests requested contracts
 */
record SolveReport(
    BrokerProblem problem,
    OptimisationResult result,
    @Nullable OptimalPlan relaxed,
    List<AdmissionOutcome> requests) {
  /** Copies the list. */
  SolveReport {
    requests = List.copyOf(requests);
  }

  /**
   * A requested contract.
   *
   * @param request the request
   * @param decision the decision
   * @param maxRate requests/s of its class that would fit; may be infinite
   */
  record AdmissionOutcome(AdmissionRequest request, AdmissionDecision decision, double maxRate) {}
}
