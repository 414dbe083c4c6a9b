package dev.pinion.broker.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.lp.LinearProgram;
import dev.pinion.broker.lp.LpSolver;
import dev.pinion.broker.lp.Solution;
import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Mode;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.Options;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.optimise.Cases;
import dev.pinion.broker.optimise.MaxRate;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.optimise.Result;
import dev.pinion.broker.optimise.Solvers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Decisions about a class whose service accepts ten requests/s at low cost, and five at a high one.
 */
class AdmissionTest {
  private final Admission admission = new Admission(new Optimizer(Solvers.both()));
  private final MaxRate maxRate = new MaxRate(Solvers.both());
  private final BrokerProblem scarce;

  AdmissionTest() throws IOException {
    scarce =
        Cases.own().stream()
            .filter(each -> each.name().equals("scarce-admission.json"))
            .findFirst()
            .orElseThrow()
            .problem();
  }

  @Test
  void shouldDecideAsTheCaseSays() {
    assertInstanceOf(Decision.Admitted.class, decide(scarce, 0));
    assertTrue(assertInstanceOf(Decision.Infeasible.class, decide(scarce, 1)).violation() > 0.05);
    assertInstanceOf(Decision.Admitted.class, decide(scarce, 2));
    assertEquals(-21, assertInstanceOf(Decision.Loss.class, decide(scarce, 3)).gain(), 1e-6);
  }

  @Test
  void shouldAdmitWhateverFitsUnderWeights() {
    BrokerProblem weighted = with(Objective.SAW, Mode.STRICT);

    Decision.Admitted admitted = assertInstanceOf(Decision.Admitted.class, decide(weighted, 3));

    assertEquals(OptionalDouble.empty(), admitted.gain(), "another normalisation");
    assertInstanceOf(Decision.Infeasible.class, decide(weighted, 1));
  }

  @Test
  void shouldKeepPromisesStrictlyWhenDegraded() {
    assertInstanceOf(Decision.Infeasible.class, decide(with(Objective.PROFIT, Mode.DEGRADED), 1));
  }

  @Test
  void shouldTakeNobodyOnWhileThereIsNoPlan() {
    ServiceClass gold = scarce.classes().getFirst();
    BrokerProblem overloaded = scarce.withClasses(List.of(gold.withRate(16)));

    assertInstanceOf(Decision.Infeasible.class, decide(overloaded, 0));
    assertEquals(
        0, assertInstanceOf(MaxRate.Finding.Most.class, maxRate.of(overloaded, gold)).rate());
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
    Admission unsure = new Admission(new Optimizer(Solvers.verified(broken)));
    AdmissionRequest request = scarce.admission().getFirst();

    Decision.Undecided before =
        assertInstanceOf(
            Decision.Undecided.class, unsure.decide(scarce, unsure.before(scarce), request));
    Decision.Undecided after =
        assertInstanceOf(
            Decision.Undecided.class, unsure.decide(scarce, admission.before(scarce), request));

    assertEquals(List.of("broken: out of order"), before.reasons());
    assertEquals(before.reasons(), after.reasons());
    assertInstanceOf(
        MaxRate.Finding.Unknown.class,
        new MaxRate(Solvers.verified(broken)).of(scarce, request.candidate()));
  }

  private BrokerProblem with(Objective objective, Mode mode) {
    Options options = scarce.options();
    return scarce.withOptions(
        new Options(
            options.maxAlternates(),
            options.maxParallel(),
            options.parallelResponse(),
            objective,
            mode,
            options.penalties()));
  }

  private Decision decide(BrokerProblem problem, int request) {
    Result before = admission.before(problem);
    return admission.decide(problem, before, scarce.admission().get(request));
  }
}
