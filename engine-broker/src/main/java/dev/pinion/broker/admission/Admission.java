package dev.pinion.broker.admission;

import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Mode;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.optimise.Optimum;
import dev.pinion.broker.optimise.Result;
import java.util.OptionalDouble;

/**
 * Decides about one contract at a time. Promises are strict here, whatever the mode of the problem:
 * a degraded broker admits nobody. Greedy: it does not consider future requests.
 */
public final class Admission {
  /** Relative loss that is a rounding error. */
  private static final double NO_LOSS = 1e-9;

  private final Optimizer optimizer;

  /** An admission by an optimiser. */
  public Admission(Optimizer optimizer) {
    this.optimizer = optimizer;
  }

  /** The best plan that keeps all promises. */
  public Result before(BrokerProblem problem) {
    return optimizer.optimise(problem.withOptions(problem.options().withMode(Mode.STRICT)));
  }

  /**
   * Decides about a request.
   *
   * @param problem the problem of the existing contracts
   * @param before the result of {@link #before} for it
   */
  public Decision decide(BrokerProblem problem, Result before, AdmissionRequest request) {
    return switch (before) {
      case Result.Unknown unknown -> new Decision.Undecided(unknown.reasons());
      case Result.Infeasible infeasible -> new Decision.Infeasible(infeasible.violation());
      case Result.Optimal optimal ->
          decide(before(problem.with(request)), optimal.optimum(), problem.options().objective());
    };
  }

  private static Decision decide(Result after, Optimum before, Objective objective) {
    return switch (after) {
      case Result.Unknown unknown -> new Decision.Undecided(unknown.reasons());
      case Result.Infeasible infeasible -> new Decision.Infeasible(infeasible.violation());
      case Result.Optimal optimal ->
          switch (objective) {
            case SAW -> new Decision.Admitted(optimal.optimum(), OptionalDouble.empty());
            case PROFIT -> byGain(optimal.optimum(), before);
          };
    };
  }

  private static Decision byGain(Optimum after, Optimum before) {
    double gain = after.objective() - before.objective();
    double rounding = NO_LOSS * Math.max(1, Math.abs(before.objective()));
    return gain >= -rounding
        ? new Decision.Admitted(after, OptionalDouble.of(gain))
        : new Decision.Loss(after, gain);
  }
}
