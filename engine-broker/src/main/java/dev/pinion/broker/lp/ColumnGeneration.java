package dev.pinion.broker.lp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Solves a program with few of its columns, and adds those that its prices show to be worth it,
 * until none is. Not thread-safe; for one program.
 */
final class ColumnGeneration {
  /** Columns that a group brings in for each round. */
  static final int BEST_OF_GROUP = 3;

  /** Rounds after which it gives up; six or seven are usual. */
  static final int MAX_ROUNDS = 200;

  /** Gain of a column that is worth bringing in: below what the check allows. */
  private static final double WORTH = SolutionCheck.TOLERANCE / 10;

  private final LpSolver solver;
  private final ColumnPool pool;
  private final Supplier<Duration> left;
  private final BitSet active;

  /**
   * Begins with some columns.
   *
   * @param left the time that is left, asked for before each round
   */
  ColumnGeneration(LpSolver solver, ColumnPool pool, BitSet active, Supplier<Duration> left) {
    this.solver = solver;
    this.pool = pool;
    this.active = active;
    this.left = left;
  }

  /** A copy of the columns brought in so far. */
  BitSet active() {
    return (BitSet) active.clone();
  }

  /**
   * Goes on until no column is worth it, or the objective is enough.
   *
   * @return a claim about the whole program
   */
  Solution run(double enough) {
    for (int round = 0; round < MAX_ROUNDS; round++) {
      Duration time = left.get();
      if (time.isZero() || time.isNegative()) {
        return new Solution.TimedOut();
      }
      int[] columns = active.stream().toArray();
      LinearProgram program = pool.program();
      Solution solution = solver.solve(program.restrictedTo(columns), time);
      if (!(solution instanceof Solution.Optimal optimal)) {
        return solution;
      }
      if (optimal.columns() != columns.length || optimal.rows() != program.rows()) {
        return optimal; // garbage; the check says so
      }
      Solution.Optimal whole = optimal.spread(columns, program.columns());
      if (whole.objectiveOf(program) >= enough || !bringIn(whole)) {
        return whole;
      }
    }
    return new Solution.Failed("no end of useful columns after " + MAX_ROUNDS + " rounds");
  }

  /** Brings in the best columns of each group. */
  private boolean bringIn(Solution.Optimal prices) {
    Map<Integer, List<Candidate>> best = new HashMap<>();
    LinearProgram program = pool.program();
    for (int j = active.nextClearBit(0); j < program.columns(); j = active.nextClearBit(j + 1)) {
      double gain = program.reducedCost(j, prices);
      if (gain > WORTH) {
        best.computeIfAbsent(pool.group(j), _ -> new ArrayList<>()).add(new Candidate(j, gain));
      }
    }
    for (List<Candidate> group : best.values()) {
      group.sort(Comparator.comparingDouble(Candidate::gain).reversed());
      group.stream().limit(BEST_OF_GROUP).forEach(each -> active.set(each.column()));
    }
    return !best.isEmpty();
  }

  /** A column that would gain. */
  private record Candidate(int column, double gain) {}
}
