package dev.pinion.broker.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.pinion.broker.binding.BindingSimulation.Times;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.ParallelResponse;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.SolveOptions;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.optimise.OptimalPlan;
import dev.pinion.broker.optimise.OptimisationResult;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.optimise.RandomProblems;
import dev.pinion.broker.optimise.Solvers;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Signs of the errors of predictions, by simulation (FORMULATION 1.5): costs are exact, reliability
 * is never worse, parallel calls never slower, and a flow never faster than predicted.
 */
class BindingSimulationTest {
  /** Standard errors by which a rule may seem to be violated. */
  private static final double ERRORS = 4.5;

  private static final List<Times> TIMES = List.of(Times.values());

  private final Optimizer optimizer = new Optimizer(Solvers.both());
  private int exact;
  private int flows;
  private int parallel;

  @Test
  void shouldPredictInTheKnownDirections() {
    run(30, 10_000);
  }

  @Test
  @Tag("long")
  void shouldPredictInTheKnownDirectionsOverManyRuns() {
    run(600, 200_000);
  }

  private void run(int problems, int requests) {
    long first = Long.getLong("pinion.seed", 3_000);
    for (long seed = first; seed < first + problems; seed++) {
      BrokerProblem random = RandomProblems.of(seed);
      BrokerProblem problem = withPatterns(withoutGamma(random), seed % 2 == 0);
      if (random.options().parallelResponse() == ParallelResponse.FIRST_SUCCESS
          && problem.services().stream().allMatch(each -> each.reliability() >= 0.5)
          && optimizer.relaxed(problem)
              instanceof OptimisationResult.Optimal(OptimalPlan optimalPlan)) {
        check(problem, optimalPlan, requests, seed);
      }
    }
    System.out.printf(
        "simulated %d requests each of %d classes without flows or parallel calls, %d with flows,"
            + " %d with parallel calls; seeds from %d%n",
        requests, exact, flows, parallel, first);
    assertTrue(exact > 0 && flows > 0 && parallel > 0, "all kinds must occur");
  }

  private static BrokerProblem withoutGamma(BrokerProblem problem) {
    return new BrokerProblem(
        problem.id(),
        problem.options(),
        withoutGamma(problem.process()),
        problem.services(),
        problem.tasks(),
        problem.classes(),
        problem.admission());
  }

  /**
   * Alternates are better than parallel calls almost everywhere: without them parallel calls occur.
   */
  private static BrokerProblem withPatterns(BrokerProblem problem, boolean alternates) {
    SolveOptions solveOptions = problem.options();
    return problem.withOptions(
        new SolveOptions(
            alternates ? 2 : 1,
            2,
            solveOptions.parallelResponse(),
            solveOptions.objective(),
            solveOptions.mode(),
            solveOptions.penalties()));
  }

  private static ProcessNode withoutGamma(ProcessNode node) {
    return switch (node) {
      case ProcessNode.Task task -> task;
      case ProcessNode.Sequence sequence ->
          new ProcessNode.Sequence(
              sequence.children().stream().map(BindingSimulationTest::withoutGamma).toList());
      case ProcessNode.Flow flow ->
          new ProcessNode.Flow(
              flow.id(),
              flow.children().stream().map(BindingSimulationTest::withoutGamma).toList(),
              1);
      case ProcessNode.Choice choice ->
          new ProcessNode.Choice(
              choice.id(),
              choice.children().stream().map(BindingSimulationTest::withoutGamma).toList(),
              choice.probabilities());
      case ProcessNode.Loop loop ->
          new ProcessNode.Loop(loop.id(), withoutGamma(loop.child()), loop.iterations());
    };
  }

  private void check(BrokerProblem problem, OptimalPlan optimalPlan, int requests, long seed) {
    Random starts = new Random(seed);
    KroneckerCounters kroneckerCounters = new KroneckerCounters(starts::nextLong);
    for (int i = 0; i < optimalPlan.classes().size(); i++) {
      ClassLevel level = optimalPlan.classes().get(i);
      if (level.served() == 0) {
        continue;
      }
      Times times = TIMES.get((int) (seed + i) % TIMES.size());
      BindingSimulation bindingSimulation =
          new BindingSimulation(level, kroneckerCounters, problem.classes().get(i), times, seed);
      bindingSimulation.run(problem.process(), requests);
      try {
        compare(level, bindingSimulation, hasFlow(problem.process()), times);
      } catch (AssertionError e) {
        fail("-Dpinion.seed=" + seed + ", " + level.id() + ", " + times + ": " + e.getMessage(), e);
      }
    }
  }

  private void compare(ClassLevel level, BindingSimulation found, boolean hasFlow, Times times) {
    assertEquals(level.cost(), found.cost.mean(), slack(found.cost), "cost");
    // Sums of a finite number of requests deviate by the counters' deviations as well.
    assertTrue(
        found.success.mean() >= level.reliability() - slack(found.success),
        "D " + found.success.mean() + " of at least " + level.reliability());
    boolean isParallel =
        level.shares().values().stream()
            .flatMap(shares -> shares.stream())
            .anyMatch(each -> each.implementation().pattern() == CoordinationPattern.PARALLEL);
    double mean = found.response.mean();
    double slack = slack(found.response);
    if (hasFlow && !isParallel) {
      flows++;
      assertTrue(mean >= level.response() - slack, "R " + mean + " of " + level.response());
    } else if (!hasFlow && isParallel) {
      parallel++;
      assertTrue(mean <= level.response() + slack, "R " + mean + " of " + level.response());
      assertTrue(
          times != Times.DETERMINISTIC || Math.abs(mean - level.response()) <= slack,
          "R of constant times " + mean + " of " + level.response());
    } else if (!hasFlow) {
      exact++;
      assertEquals(level.response(), mean, slack, "R");
    }
  }

  private static double slack(BindingSimulation.Moments moments) {
    return ERRORS * moments.error() + 2e-3 * Math.max(1e-3, Math.abs(moments.mean()));
  }

  private static boolean hasFlow(ProcessNode node) {
    return switch (node) {
      case ProcessNode.Task _ -> false;
      case ProcessNode.Sequence sequence ->
          sequence.children().stream().anyMatch(BindingSimulationTest::hasFlow);
      case ProcessNode.Flow _ -> true;
      case ProcessNode.Choice choice ->
          choice.children().stream().anyMatch(BindingSimulationTest::hasFlow);
      case ProcessNode.Loop loop -> hasFlow(loop.child());
    };
  }
}
