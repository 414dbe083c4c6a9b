package dev.pinion.broker.optimise;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.PromiseMode;
import dev.pinion.broker.model.SolveOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random problems, each checked by {@link IndependentCheck}. A failure names its seed; {@code
 * -Dpinion.seed=N} begins there.
 */
class RandomProblemsTest {
  private static final int SOME = 100;
  private static final int MANY = 2_000;

  private final Optimizer optimizer = new Optimizer(Solvers.both());
  private int optimal;
  private int infeasible;

  @Test
  void shouldAgreeWithAnIndependentCheck() {
    run(SOME);
  }

  @Test
  @Tag("long")
  void shouldAgreeWithAnIndependentCheckOfManyProblems() {
    run(MANY);
  }

  /** Milliseconds or hours, cents or millions, few requests or very many. */
  @Test
  void shouldProveProblemsOfAnyScale() {
    for (double[] scale :
        new double[][] {
          {1e-3, 1, 1}, {1e3, 1, 1}, {1, 1e-3, 1}, {1, 1e4, 1}, {1, 1, 1e4}, {1, 1, 1e-3}
        }) {
      for (long seed = 1_000; seed < 1_040; seed++) {
        BrokerProblem problem = ScaledProblem.of(RandomProblems.of(seed), scale);
        String where = "seed " + seed + " at " + Arrays.toString(scale);
        switch (optimizer.optimise(problem)) {
          case OptimisationResult.Optimal found ->
              new IndependentCheck(problem).isBest(found.optimum());
          case OptimisationResult.Infeasible _ ->
              assertInstanceOf(OptimisationResult.Optimal.class, optimizer.relaxed(problem), where);
          case OptimisationResult.Unknown unknown -> fail(where + ": " + unknown.reasons());
        }
      }
    }
  }

  /** The check itself must be able to fail: plans of other objectives are not best. */
  @Test
  void shouldRefusePlansThatAreNotBest() {
    int refused = 0;
    for (long seed = 1_000; seed < 1_040; seed++) {
      BrokerProblem problem = RandomProblems.of(seed);
      if (optimizer.optimise(problem) instanceof OptimisationResult.Optimal(OptimalPlan best)
          && optimizer.optimise(withOtherObjective(problem))
              instanceof OptimisationResult.Optimal(OptimalPlan other)
          && isWorse(problem, best, other)) {
        OptimalPlan posing =
            new OptimalPlan(
                best.objective(),
                other.classes(),
                List.of(),
                Map.of(),
                best.prices(),
                best.size(),
                best.check());
        assertThrows(
            AssertionError.class, () -> new IndependentCheck(problem).isBest(posing), "" + seed);
        refused++;
      }
    }
    assertTrue(refused >= 3, "plans to refuse: " + refused);
  }

  private static boolean isWorse(BrokerProblem problem, OptimalPlan best, OptimalPlan other) {
    IndependentCheck check = new IndependentCheck(problem);
    return check.objective(other) < best.objective() - 1e-3;
  }

  private static BrokerProblem withOtherObjective(BrokerProblem problem) {
    SolveOptions solveOptions = problem.options();
    Objective other = solveOptions.objective() == Objective.SAW ? Objective.PROFIT : Objective.SAW;
    return problem.withOptions(
        new SolveOptions(
            solveOptions.maxAlternates(),
            solveOptions.maxParallel(),
            solveOptions.parallelResponse(),
            other,
            solveOptions.mode(),
            solveOptions.penalties()));
  }

  private void run(int count) {
    long first = Long.getLong("pinion.seed", 1_000);
    for (long seed = first; seed < first + count; seed++) {
      try {
        check(RandomProblems.of(seed));
      } catch (AssertionError | RuntimeException e) {
        fail("-Dpinion.seed=" + seed + ": " + e, e);
      }
    }
    System.out.printf(
        "%d random problems from seed %d: %d optimal, %d infeasible and relaxed%n",
        count, first, optimal, infeasible);
    assertTrue(optimal > count / 10 && infeasible > count / 10, "both kinds must occur");
  }

  private void check(BrokerProblem problem) {
    switch (optimizer.optimise(problem)) {
      case OptimisationResult.Optimal found -> {
        optimal++;
        new IndependentCheck(problem).isBest(found.optimum());
      }
      case OptimisationResult.Infeasible found -> {
        infeasible++;
        new IndependentCheck(problem).hasNoPlan(found.prices());
        BrokerProblem relaxed =
            problem.withOptions(problem.options().withMode(PromiseMode.DEGRADED));
        OptimisationResult.Optimal degraded =
            assertInstanceOf(OptimisationResult.Optimal.class, optimizer.relaxed(problem));
        new IndependentCheck(relaxed).isBest(degraded.optimum());
      }
      case OptimisationResult.Unknown unknown -> fail("no answer: " + unknown.reasons());
    }
  }
}
