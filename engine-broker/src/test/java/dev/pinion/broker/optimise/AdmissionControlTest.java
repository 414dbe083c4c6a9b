package dev.pinion.broker.optimise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.lp.LinearProgram;
import dev.pinion.broker.lp.LpSolver;
import dev.pinion.broker.lp.Solution;
import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.PromiseMode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.SolveOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Decisions about a class whose service accepts ten requests/s at low cost, and five at a high one.
 */
class AdmissionControlTest {
  private final AdmissionControl admissionControl =
      new AdmissionControl(new Optimizer(Solvers.both()));
  private final MaxRateSolver maxRateSolver = new MaxRateSolver(Solvers.both());
  private final BrokerProblem scarce;

  AdmissionControlTest() throws IOException {
    scarce =
        Cases.own().stream()
            .filter(each -> each.name().equals("scarce-admission.json"))
            .findFirst()
            .orElseThrow()
            .problem();
  }

  @Test
  void shouldDecideAsTheCaseSays() {
    assertInstanceOf(AdmissionDecision.Admitted.class, decide(scarce, 0));
    assertTrue(
        assertInstanceOf(AdmissionDecision.Unattainable.class, decide(scarce, 1)).violation()
            > 0.05);
    assertInstanceOf(AdmissionDecision.Admitted.class, decide(scarce, 2));
    assertEquals(
        -21, assertInstanceOf(AdmissionDecision.Loss.class, decide(scarce, 3)).gain(), 1e-6);
  }

  @Test
  void shouldAdmitWhateverFitsUnderWeights() {
    BrokerProblem weighted = with(Objective.SAW, PromiseMode.STRICT);

    AdmissionDecision.Admitted admitted =
        assertInstanceOf(AdmissionDecision.Admitted.class, decide(weighted, 3));

    assertEquals(OptionalDouble.empty(), admitted.gain(), "another normalisation");
    assertInstanceOf(AdmissionDecision.Unattainable.class, decide(weighted, 1));
  }

  @Test
  void shouldKeepPromisesStrictlyWhenDegraded() {
    assertInstanceOf(
        AdmissionDecision.Unattainable.class,
        decide(with(Objective.PROFIT, PromiseMode.DEGRADED), 1));
  }

  @Test
  void shouldTakeNobodyOnWhileThereIsNoPlan() {
    ServiceClass gold = scarce.classes().getFirst();
    BrokerProblem overloaded = scarce.withClasses(List.of(gold.withRate(16)));

    assertInstanceOf(AdmissionDecision.Unattainable.class, decide(overloaded, 0));
    assertEquals(
        0,
        assertInstanceOf(
                MaxRateSolver.MaxRateResult.MaximumRate.class, maxRateSolver.of(overloaded, gold))
            .rate());
  }

  @Test
  void shouldNotKnowWhatNoSolverKnows() {
    LpSolver broken =
        new LpSolver() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public Solution solve(LinearProgram program, Duration limit) {
            return new Solution.Failed("out of order");
          }
        };
    AdmissionControl unsure = new AdmissionControl(new Optimizer(Solvers.verified(broken)));
    AdmissionRequest request = scarce.admission().getFirst();

    AdmissionDecision.Undecided before =
        assertInstanceOf(
            AdmissionDecision.Undecided.class,
            unsure.decide(scarce, unsure.before(scarce), request));
    AdmissionDecision.Undecided after =
        assertInstanceOf(
            AdmissionDecision.Undecided.class,
            unsure.decide(scarce, admissionControl.before(scarce), request));

    assertEquals(List.of("broken: out of order"), before.reasons());
    assertEquals(before.reasons(), after.reasons());
    assertInstanceOf(
        MaxRateSolver.MaxRateResult.UnknownRate.class,
        new MaxRateSolver(Solvers.verified(broken)).of(scarce, request.candidate()));
  }

  private BrokerProblem with(Objective objective, PromiseMode promiseMode) {
    SolveOptions solveOptions = scarce.options();
    return scarce.withOptions(
        new SolveOptions(
            solveOptions.maxAlternates(),
            solveOptions.maxParallel(),
            solveOptions.parallelResponse(),
            objective,
            promiseMode,
            solveOptions.penalties()));
  }

  private AdmissionDecision decide(BrokerProblem problem, int request) {
    OptimisationResult before = admissionControl.before(problem);
    return admissionControl.decide(problem, before, scarce.admission().get(request));
  }
}
