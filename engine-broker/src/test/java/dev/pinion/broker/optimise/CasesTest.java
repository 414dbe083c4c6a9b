package dev.pinion.broker.optimise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.optimise.Cases.Case;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases with known solutions. */
class CasesTest {
  private final Optimizer optimizer = new Optimizer(Solvers.both());
  private final MaxRateSolver maxRateSolver = new MaxRateSolver(Solvers.both());

  static Stream<Case> own() throws IOException {
    return Cases.own().stream();
  }

  @ParameterizedTest
  @MethodSource("own")
  void shouldReproduceOwnCases(Case each) {
    reproduce(each);
  }

  @Test
  void shouldReproduceReferenceCases() throws IOException {
    List<Case> cases = Cases.reference();

    cases.forEach(this::reproduce);

    assertTrue(cases.size() >= 14, "found " + cases.size());
  }

  private void reproduce(Case each) {
    long start = System.nanoTime();
    OptimisationResult optimisationResult = optimizer.optimise(each.problem());
    JsonNode expected = each.expected();
    if (expected.path("status").asText().equals("infeasible")) {
      OptimisationResult.Infeasible infeasible =
          assertInstanceOf(OptimisationResult.Infeasible.class, optimisationResult, each.name());
      assertEquals(expected.path("columns").asInt(), infeasible.columns(), each.name());
      assertEquals(expected.path("rows").asInt(), infeasible.rows(), each.name());
      OptimalPlan relaxed = optimum(each, optimizer.relaxed(each.problem()));
      new CaseExpectation(each.name(), expected.path("degraded")).matches(relaxed);
    } else {
      OptimalPlan optimalPlan = optimum(each, optimisationResult);
      new CaseExpectation(each.name(), expected).matches(optimalPlan);
      assertEquals(expected.path("columns").asInt(), optimalPlan.size().columns(), each.name());
      assertEquals(expected.path("rows").asInt(), optimalPlan.size().rows(), each.name());
      if (isUnique(expected)) {
        assertEquals(
            texts(expected.path("tight")), new TreeSet<>(optimalPlan.tight()), each.name());
      }
    }
    System.out.printf("%s: %.1f ms%n", each.name(), (System.nanoTime() - start) / 1e6);
    admission(each);
  }

  private static OptimalPlan optimum(Case each, OptimisationResult optimisationResult) {
    return assertInstanceOf(OptimisationResult.Optimal.class, optimisationResult, each.name())
        .optimum();
  }

  private static boolean isUnique(JsonNode expected) {
    return expected.findValues("unique").stream()
        .allMatch(each -> each.path("R").asBoolean() && each.path("C").asBoolean());
  }

  private static Set<String> texts(JsonNode array) {
    Set<String> texts = new TreeSet<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  private void admission(Case each) {
    for (int i = 0; i < each.problem().admission().size(); i++) {
      AdmissionRequest request = each.problem().admission().get(i);
      JsonNode expected = each.expected().path("admission").path(i);
      BrokerProblem after = each.problem().with(request);
      CaseExpectation compare = new CaseExpectation(each.name() + " request " + i, expected);
      if (expected.path("feasible").asBoolean()) {
        OptimalPlan found = optimum(each, optimizer.optimise(after));
        compare.objective(expected.path("objective_after").asDouble(), found.objective());
      } else {
        assertInstanceOf(
            OptimisationResult.Infeasible.class, optimizer.optimise(after), each.name());
      }
      var maximumRate =
          assertInstanceOf(
              MaxRateSolver.MaxRateResult.MaximumRate.class,
              maxRateSolver.of(each.problem(), request.candidate()));
      compare.objective(expected.path("max_rate").asDouble(), maximumRate.rate());
    }
  }
}
