package dev.pinion.broker.optimise;

import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.PromiseMode;
import java.util.OptionalDouble;

/**
 * Decides about one contract at a time. Promises are strict here, whatever the mode of the problem:
 * a degraded broker admits nobody. Greedy: it does not consider future requests.
 */
public final class AdmissionControl {
  /** Relative loss that is a rounding error. */
  private static final double NO_LOSS = 1e-9;

  private final Optimizer optimizer;

  /** An admission by an optimiser. */
  public AdmissionControl(Optimizer optimizer) {
    this.optimizer = optimizer;
  }

  /** The best plan that keeps all promises. */
  public OptimisationResult before(BrokerProblem problem) {
    return optimizer.optimise(problem.withOptions(problem.options().withMode(PromiseMode.STRICT)));
  }

  /**
   * Decides about a request.
   *
   * @param problem the problem of the existing contracts
   * @param before the result of {@link #before} for it
   */
  public AdmissionDecision decide(
      BrokerProblem problem, OptimisationResult before, AdmissionRequest request) {
    return switch (before) {
      case OptimisationResult.Unknown unknown -> new AdmissionDecision.Undecided(unknown.reasons());
      case OptimisationResult.Infeasible infeasible ->
          new AdmissionDecision.Unattainable(infeasible.violation());
      case OptimisationResult.Optimal optimal ->
          decide(before(problem.with(request)), optimal.optimum(), problem.options().objective());
    };
  }

  private static AdmissionDecision decide(
      OptimisationResult after, OptimalPlan before, Objective objective) {
    return switch (after) {
      case OptimisationResult.Unknown unknown -> new AdmissionDecision.Undecided(unknown.reasons());
      case OptimisationResult.Infeasible infeasible ->
          new AdmissionDecision.Unattainable(infeasible.violation());
      case OptimisationResult.Optimal optimal ->
          switch (objective) {
            case SAW -> new AdmissionDecision.Admitted(optimal.optimum(), OptionalDouble.empty());
            case PROFIT -> byGain(optimal.optimum(), before);
          };
    };
  }

  private static AdmissionDecision byGain(OptimalPlan after, OptimalPlan before) {
    double gain = after.objective() - before.objective();
    double rounding = NO_LOSS * Math.max(1, Math.abs(before.objective()));
    return gain >= -rounding
        ? new AdmissionDecision.Admitted(after, OptionalDouble.of(gain))
        : new AdmissionDecision.Loss(after, gain);
  }
}
