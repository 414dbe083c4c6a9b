package dev.pinion.broker.optimise;

import dev.pinion.broker.lp.VerifiedSolution;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.ServiceClass;
import java.util.ArrayList;
import java.util.List;

/**
 * The greatest rate of a class that fits together with the classes of a problem. The rate is a
 * column: all demands of a class are proportional to it.
 */
public final class MaxRateSolver {
  /** Rates below this count as none. */
  private static final double LEAST = 1e-9;

  private final VerifiedSolver solver;

  /** A search with a solver. */
  public MaxRateSolver(VerifiedSolver solver) {
    this.solver = solver;
  }

  /** Result of the search. */
  public sealed interface MaxRateResult {
    /**
     * The greatest rate, proved.
     *
     * @param rate requests/s; 0 when none fit, infinite when nothing limits them
     */
    record MaximumRate(double rate) implements MaxRateResult {}

    /**
     * Nothing is known.
     *
     * @param reasons the failure of each solver, for people
     */
    record UnknownRate(List<String> reasons) implements MaxRateResult {
      /** Copies the list. */
      public UnknownRate {
        reasons = List.copyOf(reasons);
      }
    }
  }

  /**
   * The greatest rate that can be added to a problem.
   *
   * @param wished the class; its rate is ignored, and the problem may have it already
   */
  public MaxRateResult of(BrokerProblem problem, ServiceClass wished) {
    ServiceClass candidate = renamed(problem, wished);
    MaxRateResult unlimited = withoutLimitedServices(problem, candidate);
    if (!(unlimited instanceof MaxRateResult.MaximumRate(double rate)) || rate > 0) {
      return unlimited;
    }
    List<ClassCoefficients> classes = new ArrayList<>();
    problem.classes().forEach(each -> classes.add(ClassCoefficients.served(each)));
    classes.add(ClassCoefficients.ofUnknownRate(candidate));
    Formulation formulation =
        Formulation.of(problem, CandidateImplementations.of(problem), classes);
    return switch (solver.solve(formulation.pool())) {
      case VerifiedSolution.ProvedOptimum provedOptimum ->
          new MaxRateResult.MaximumRate(
              provedOptimum.objective() < LEAST ? 0 : provedOptimum.objective());
      case VerifiedSolution.ProvedInfeasibility _ -> new MaxRateResult.MaximumRate(0);
      case VerifiedSolution.Unproved unproved -> new MaxRateResult.UnknownRate(unproved.reasons());
    };
  }

  /** The same class at one request/s, with a name that the problem does not have yet. */
  private static ServiceClass renamed(BrokerProblem problem, ServiceClass wished) {
    String name = wished.id();
    while (problem.serviceClass(name).isPresent()) {
      name += "'";
    }
    return wished.withId(name).withRate(1);
  }

  /**
   * Infinite when the problem has a plan and the class can do without every service that is
   * limited: then it can be served at any rate. Otherwise its rate has a bound, and this is 0.
   */
  private MaxRateResult withoutLimitedServices(BrokerProblem problem, ServiceClass candidate) {
    MaxRateResult alone = feasible(unloaded(problem), List.of(candidate));
    if (!(alone instanceof MaxRateResult.MaximumRate(double rate)) || rate == 0) {
      return alone;
    }
    return feasible(problem, problem.classes());
  }

  private static BrokerProblem unloaded(BrokerProblem problem) {
    return problem.withServices(
        problem.services().stream()
            .map(each -> each.isLimited() ? withoutLoad(each) : each)
            .toList());
  }

  private static ConcreteService withoutLoad(ConcreteService each) {
    return new ConcreteService(each.id(), each.response(), each.reliability(), each.cost(), 0);
  }

  /** Infinite when all bounds can be kept, 0 when not. */
  private MaxRateResult feasible(BrokerProblem problem, List<ServiceClass> classes) {
    List<ClassCoefficients> terms =
        classes.stream().map(each -> ClassCoefficients.served(each)).toList();
    Formulation formulation = Formulation.of(problem, CandidateImplementations.of(problem), terms);
    return switch (solver.solve(formulation.pool())) {
      case VerifiedSolution.ProvedOptimum _ ->
          new MaxRateResult.MaximumRate(Double.POSITIVE_INFINITY);
      case VerifiedSolution.ProvedInfeasibility _ -> new MaxRateResult.MaximumRate(0);
      case VerifiedSolution.Unproved unproved -> new MaxRateResult.UnknownRate(unproved.reasons());
    };
  }
}
