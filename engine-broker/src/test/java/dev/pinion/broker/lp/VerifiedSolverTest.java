package dev.pinion.broker.lp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.lp.OrToolsSolver.Algorithm;
import dev.pinion.core.model.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VerifiedSolverTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final LpSolver glop = new OrToolsSolver(Algorithm.GLOP);

  /** Untrustworthy solvers, on a program that has an optimum. */
  enum Bad implements LpSolver {
    FAILS,
    GIVES_UP,
    SEES_NO_END,
    SEES_NO_SOLUTION,
    STOPS_TOO_EARLY,
    GOES_TOO_FAR,
    IS_NO_NUMBER,
    TELLS_TOO_LITTLE,
    THROWS,
    IS_NOT_THERE;

    @Override
    public Solution solve(LinearProgram program, Duration limit) {
      return switch (this) {
        case FAILS -> new Solution.Failed("out of order");
        case GIVES_UP -> new Solution.TimedOut();
        case SEES_NO_END -> new Solution.Unbounded();
        case SEES_NO_SOLUTION -> new Solution.ClaimedInfeasibility();
        case STOPS_TOO_EARLY -> point(program, 0);
        case GOES_TOO_FAR -> point(program, 1e9);
        case IS_NO_NUMBER -> point(program, Double.NaN);
        case TELLS_TOO_LITTLE -> new Solution.ClaimedOptimum(new double[0], new double[0]);
        case THROWS -> throw new IllegalStateException("a bug");
        case IS_NOT_THERE -> throw new UnsatisfiedLinkError("no library");
      };
    }

    private static Solution point(LinearProgram program, double value) {
      double[] values = new double[program.columns()];
      Arrays.fill(values, value);
      return new Solution.ClaimedOptimum(values, new double[program.rows()]);
    }
  }

  @ParameterizedTest
  @EnumSource(Bad.class)
  void shouldBelieveNoBadSolver(Bad bad) {
    VerifiedSolution small = solve(ColumnPool.whole(Programs.small()), guarded(bad));
    VerifiedSolution large = solve(Programs.large(1, 40, 100), guarded(bad));

    VerifiedSolution.Unproved unproved = assertInstanceOf(VerifiedSolution.Unproved.class, small);
    assertTrue(unproved.reasons().getFirst().startsWith(bad.name() + ": "), unproved::toString);
    assertInstanceOf(VerifiedSolution.Unproved.class, large);
  }

  @ParameterizedTest
  @EnumSource(Bad.class)
  void shouldAskTheNextSolver(Bad bad) {
    VerifiedSolution verifiedSolution =
        solve(ColumnPool.whole(Programs.small()), guarded(bad), glop);

    assertEquals(
        11,
        assertInstanceOf(VerifiedSolution.ProvedOptimum.class, verifiedSolution).objective(),
        1e-9);
  }

  @ParameterizedTest
  @EnumSource(Bad.class)
  void shouldBelieveNoBadSolverThatThereIsNoSolution(Bad bad) {
    // given a solver that claims infeasibility, and then gives a wrong distance from feasibility
    LpSolver solver =
        named(
            program ->
                program.columns() == 1
                    ? new Solution.ClaimedInfeasibility()
                    : bad.solve(program, LIMIT));

    VerifiedSolution verifiedSolution =
        solve(ColumnPool.whole(Programs.withoutSolution()), guarded(solver));

    assertInstanceOf(VerifiedSolution.Unproved.class, verifiedSolution);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void shouldFindAnOptimumWithItsPrices(Algorithm algorithm) {
    VerifiedSolution verifiedSolution =
        solve(ColumnPool.whole(Programs.small()), new OrToolsSolver(algorithm));

    VerifiedSolution.ProvedOptimum found =
        assertInstanceOf(
            VerifiedSolution.ProvedOptimum.class, verifiedSolution, verifiedSolution::toString);
    assertEquals(11, found.objective(), 1e-9);
    assertEquals(3, found.solution().value(0), 1e-9);
    assertEquals(2, found.solution().dual(0), 1e-9);
    assertEquals(0, found.solution().dual(1), 1e-9);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void shouldProveThatThereIsNoSolution(Algorithm algorithm) {
    VerifiedSolution verifiedSolution =
        solve(ColumnPool.whole(Programs.withoutSolution()), new OrToolsSolver(algorithm));

    VerifiedSolution.ProvedInfeasibility found =
        assertInstanceOf(
            VerifiedSolution.ProvedInfeasibility.class,
            verifiedSolution,
            verifiedSolution::toString);
    assertEquals(0.5, found.violation(), 1e-9, "1 of a bound of 2");
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void shouldSolveByGeneratingColumnsAsItDoesWithAllOfThem(Algorithm algorithm) {
    LpSolver solver = new OrToolsSolver(algorithm);
    for (long seed = 1; seed <= 5; seed++) {
      ColumnPool pool = Programs.large(seed, 40, 100);
      List<Integer> sizes = new ArrayList<>();
      LpSolver counting =
          named(
              program -> {
                sizes.add(program.columns());
                return solver.solve(program, LIMIT);
              });

      VerifiedSolution generated = solve(pool, counting);
      Solution whole = solver.solve(pool.program(), LIMIT);

      assertTrue(pool.program().columns() > VerifiedSolver.WHOLE_COLUMNS);
      assertEquals(
          assertInstanceOf(Solution.ClaimedOptimum.class, whole).objectiveOf(pool.program()),
          assertInstanceOf(VerifiedSolution.ProvedOptimum.class, generated, generated::toString)
              .objective(),
          1e-8);
      int most = sizes.stream().mapToInt(Integer::intValue).max().orElseThrow();
      assertTrue(most < pool.program().columns() / 4, "seed " + seed + ": " + sizes);
    }
  }

  @Test
  void shouldProveThatALargeProgramHasNoSolution() {
    ColumnPool pool = Programs.large(1, 40, 100);
    LinearProgram.Builder builder = pool.program().withRows();
    int impossible = builder.row("impossible", 41, Programs.INFINITE);
    for (int j = 0; j < pool.program().columns(); j++) {
      pool.program().copyColumn(j, builder, pool.program().objective(j));
      builder.entry(impossible, 1); // 40 groups of 1 in sum
    }

    VerifiedSolution verifiedSolution = solve(pool.extendedTo(builder.build()), glop);

    VerifiedSolution.ProvedInfeasibility found =
        assertInstanceOf(
            VerifiedSolution.ProvedInfeasibility.class,
            verifiedSolution,
            verifiedSolution::toString);
    assertEquals(1.0 / 41, found.violation(), 1e-9);
  }

  @Test
  void shouldStopWhenItsTimeIsOver() {
    VerifiedSolver solver = new VerifiedSolver(List.of(glop), Clock.system(), Duration.ZERO);

    VerifiedSolution verifiedSolution = solver.solve(Programs.large(1, 40, 100));

    assertInstanceOf(VerifiedSolution.Unproved.class, verifiedSolution);
  }

  @Test
  void shouldGiveUpWhenThereIsNoEndOfUsefulColumns() {
    // given a solver at whose prices every column gains, endlessly
    int enough = ColumnGeneration.MAX_ROUNDS * ColumnGeneration.BEST_OF_GROUP;
    ColumnPool pool = Programs.large(1, 1, Math.max(enough + 10, VerifiedSolver.WHOLE_COLUMNS + 1));

    VerifiedSolution verifiedSolution = solve(pool, Bad.STOPS_TOO_EARLY);

    VerifiedSolution.Unproved unproved =
        assertInstanceOf(VerifiedSolution.Unproved.class, verifiedSolution);
    assertTrue(unproved.reasons().getFirst().contains("after 200 rounds"), unproved::toString);
  }

  @Test
  void shouldNotWaitForASolverThatHangs() throws InterruptedException {
    CountDownLatch hang = new CountDownLatch(1);
    LpSolver hanging =
        named(
            _ -> {
              hang.await();
              return new Solution.Failed("let go");
            });
    try (GuardedSolver guarded = new GuardedSolver(hanging, Duration.ofMillis(1))) {
      LinearProgram program = Programs.small();
      Duration soon = Duration.ofMillis(1);

      assertInstanceOf(Solution.TimedOut.class, guarded.solve(program, soon));
      Solution.Failed second =
          assertInstanceOf(Solution.Failed.class, guarded.solve(program, soon));
      assertTrue(second.reason().contains("an earlier call"), second::toString);

      hang.countDown();
      Solution after = new Solution.TimedOut();
      while (!after.equals(new Solution.Failed("let go"))) { // the thread needs a moment
        after = guarded.solve(program, LIMIT);
      }
    } finally {
      hang.countDown();
    }
  }

  @Test
  void shouldRefuseASolverThatReturnsNothing() {
    VerifiedSolution verifiedSolution =
        solve(ColumnPool.whole(Programs.small()), guarded(named(_ -> Nothing.solution())));

    VerifiedSolution.Unproved unproved =
        assertInstanceOf(VerifiedSolution.Unproved.class, verifiedSolution);
    assertTrue(unproved.reasons().getFirst().contains("returned nothing"), unproved::toString);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void shouldWarmUp(Algorithm algorithm) {
    OrToolsSolver solver = new OrToolsSolver(algorithm);

    solver.warmUp();
    solver.warmUp();

    assertTrue(solver.name().startsWith("OR-tools "), solver.name());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void shouldSolveAProgramOfNothing(Algorithm algorithm) {
    LinearProgram nothing = new LinearProgram.Builder().offset(7).build();

    VerifiedSolution verifiedSolution =
        solve(ColumnPool.whole(nothing), new OrToolsSolver(algorithm));

    assertEquals(
        7, assertInstanceOf(VerifiedSolution.ProvedOptimum.class, verifiedSolution).objective());
  }

  @Test
  void shouldSayThatAProgramHasNoEnd() {
    LinearProgram.Builder builder = new LinearProgram.Builder();
    builder.column("x", 0, Programs.INFINITE, 1);
    ColumnPool pool = ColumnPool.whole(builder.build());

    assertInstanceOf(VerifiedSolution.Unproved.class, solve(pool, glop));
  }

  private static VerifiedSolution solve(ColumnPool pool, LpSolver... solvers) {
    return new VerifiedSolver(List.of(solvers), Clock.system(), LIMIT).solve(pool);
  }

  private static LpSolver guarded(LpSolver solver) {
    return new GuardedSolver(solver, LIMIT);
  }

  /** Work of a solver, which may also wait. */
  private interface Work {
    Solution of(LinearProgram program) throws InterruptedException;
  }

  private static LpSolver named(Work work) {
    return new LpSolver() {
      @Override
      public String name() {
        return "fake";
      }

      @Override
      public Solution solve(LinearProgram program, Duration limit) {
        try {
          return work.of(program);
        } catch (InterruptedException e) {
          return new Solution.Failed("interrupted");
        }
      }
    };
  }

  /** A solver from a place without null checks. */
  @NullUnmarked
  private static final class Nothing {
    static Solution solution() {
      return null;
    }
  }
}
