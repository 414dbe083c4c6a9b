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
 * Solves a program with few of its columns, and adds those with a gain by the prices, until there
 * is none. Not thread-safe; for one program.
 */
final class ColumnGeneration {
  /** Columns that each group adds in a round. */
  static final int BEST_OF_GROUP = 3;

  /** Rounds after which it fails; six or seven are usual. */
  static final int MAX_ROUNDS = 200;

  /** Least gain of an added column: below the tolerance of the check. */
  private static final double WORTH = SolutionCheck.TOLERANCE / 10;

  private final LpSolver solver;
  private final ColumnPool pool;
  private final Supplier<Duration> left;
  private final BitSet active;

  /**
   * Begins with some columns.
   *
   * @param left remaining time, read before each round
   */
  ColumnGeneration(LpSolver solver, ColumnPool pool, BitSet active, Supplier<Duration> left) {
    this.solver = solver;
    this.pool = pool;
    this.active = active;
    this.left = left;
  }

  /** A copy of the columns added so far. */
  BitSet active() {
    return (BitSet) active.clone();
  }

  /**
   * Runs until no column has a gain, or the objective is enough.
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
      if (!(solution instanceof Solution.ClaimedOptimum claimedOptimum)) {
        return solution;
      }
      if (claimedOptimum.columns() != columns.length || claimedOptimum.rows() != program.rows()) {
        return claimedOptimum; // garbage; the check reports it
      }
      Solution.ClaimedOptimum whole = claimedOptimum.spread(columns, program.columns());
      if (whole.objectiveOf(program) >= enough || !bringIn(whole)) {
        return whole;
      }
    }
    return new Solution.Failed("no end of useful columns after " + MAX_ROUNDS + " rounds");
  }

  /** Adds the best columns of each group. */
  private boolean bringIn(Solution.ClaimedOptimum prices) {
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

  /** A column with a gain. */
  private record Candidate(int column, double gain) {}
}
