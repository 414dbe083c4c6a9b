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
        case SEES_NO_SOLUTION -> new Solution.Infeasible();
        case STOPS_TOO_EARLY -> point(program, 0);
        case GOES_TOO_FAR -> point(program, 1e9);
        case IS_NO_NUMBER -> point(program, Double.NaN);
        case TELLS_TOO_LITTLE -> new Solution.Optimal(new double[0], new double[0]);
        case THROWS -> throw new IllegalStateException("a bug");
        case IS_NOT_THERE -> throw new UnsatisfiedLinkError("no library");
      };
    }

    private static Solution point(LinearProgram program, double value) {
      double[] values = new double[program.columns()];
      Arrays.fill(values, value);
      return new Solution.Optimal(values, new double[program.rows()]);
    }
  }

  @ParameterizedTest
  @EnumSource(Bad.class)
  void shouldBelieveNoBadSolver(Bad bad) {
    Answer small = solve(ColumnPool.whole(Programs.small()), guarded(bad));
    Answer large = solve(Programs.large(1, 40, 100), guarded(bad));

    Answer.Unknown unknown = assertInstanceOf(Answer.Unknown.class, small);
    assertTrue(unknown.reasons().getFirst().startsWith(bad.name() + ": "), unknown::toString);
    assertInstanceOf(Answer.Unknown.class, large);
  }

  @ParameterizedTest
  @EnumSource(Bad.class)
  void shouldAskTheNextSolver(Bad bad) {
    Answer answer = solve(ColumnPool.whole(Programs.small()), guarded(bad), glop);

    assertEquals(11, assertInstanceOf(Answer.Optimal.class, answer).objective(), 1e-9);
  }

  @ParameterizedTest
  @EnumSource(Bad.class)
  void shouldBelieveNoBadSolverThatThereIsNoSolution(Bad bad) {
    // given a solver that claims infeasibility, and then gives a wrong distance from feasibility
    LpSolver solver =
        named(
            program ->
                program.columns() == 1 ? new Solution.Infeasible() : bad.solve(program, LIMIT));

    Answer answer = solve(ColumnPool.whole(Programs.withoutSolution()), guarded(solver));

    assertInstanceOf(Answer.Unknown.class, answer);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void shouldFindAnOptimumWithItsPrices(Algorithm algorithm) {
    Answer answer = solve(ColumnPool.whole(Programs.small()), new OrToolsSolver(algorithm));

    Answer.Optimal found = assertInstanceOf(Answer.Optimal.class, answer, answer::toString);
    assertEquals(11, found.objective(), 1e-9);
    assertEquals(3, found.solution().value(0), 1e-9);
    assertEquals(2, found.solution().dual(0), 1e-9);
    assertEquals(0, found.solution().dual(1), 1e-9);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void shouldProveThatThereIsNoSolution(Algorithm algorithm) {
    Answer answer =
        solve(ColumnPool.whole(Programs.withoutSolution()), new OrToolsSolver(algorithm));

    Answer.Infeasible found = assertInstanceOf(Answer.Infeasible.class, answer, answer::toString);
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

      Answer generated = solve(pool, counting);
      Solution whole = solver.solve(pool.program(), LIMIT);

      assertTrue(pool.program().columns() > VerifiedSolver.WHOLE_COLUMNS);
      assertEquals(
          assertInstanceOf(Solution.Optimal.class, whole).objectiveOf(pool.program()),
          assertInstanceOf(Answer.Optimal.class, generated, generated::toString).objective(),
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

    Answer answer = solve(pool.extendedTo(builder.build()), glop);

    Answer.Infeasible found = assertInstanceOf(Answer.Infeasible.class, answer, answer::toString);
    assertEquals(1.0 / 41, found.violation(), 1e-9);
  }

  @Test
  void shouldStopWhenItsTimeIsOver() {
    VerifiedSolver solver = new VerifiedSolver(List.of(glop), Clock.system(), Duration.ZERO);

    Answer answer = solver.solve(Programs.large(1, 40, 100));

    assertInstanceOf(Answer.Unknown.class, answer);
  }

  @Test
  void shouldGiveUpWhenThereIsNoEndOfUsefulColumns() {
    // given a solver at whose prices every column gains, endlessly
    int enough = ColumnGeneration.MAX_ROUNDS * ColumnGeneration.BEST_OF_GROUP;
    ColumnPool pool = Programs.large(1, 1, Math.max(enough + 10, VerifiedSolver.WHOLE_COLUMNS + 1));

    Answer answer = solve(pool, Bad.STOPS_TOO_EARLY);

    Answer.Unknown unknown = assertInstanceOf(Answer.Unknown.class, answer);
    assertTrue(unknown.reasons().getFirst().contains("after 200 rounds"), unknown::toString);
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
    Answer answer =
        solve(ColumnPool.whole(Programs.small()), guarded(named(_ -> Nothing.solution())));

    Answer.Unknown unknown = assertInstanceOf(Answer.Unknown.class, answer);
    assertTrue(unknown.reasons().getFirst().contains("returned nothing"), unknown::toString);
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

    Answer answer = solve(ColumnPool.whole(nothing), new OrToolsSolver(algorithm));

    assertEquals(7, assertInstanceOf(Answer.Optimal.class, answer).objective());
  }

  @Test
  void shouldSayThatAProgramHasNoEnd() {
    LinearProgram.Builder builder = new LinearProgram.Builder();
    builder.column("x", 0, Programs.INFINITE, 1);
    ColumnPool pool = ColumnPool.whole(builder.build());

    assertInstanceOf(Answer.Unknown.class, solve(pool, glop));
  }

  private static Answer solve(ColumnPool pool, LpSolver... solvers) {
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
