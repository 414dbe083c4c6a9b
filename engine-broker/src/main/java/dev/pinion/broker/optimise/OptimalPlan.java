package dev.pinion.broker.optimise;

import dev.pinion.broker.lp.SolutionCheck;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The best plan of a problem.
 *
 * @param objective value of the objective, per second under {@code profit}
 * @param classes levels of each class, in the order of the problem
 * @param tight the tight bounds: {@code sla:CLASS:r|d|c}, {@code load:SERVICE}
 * @param slacks violations of bounds, by name; none unless degraded
 * @param prices by row, the growth of the objective for a unit of its bound: shadow prices, which
 *     prove that no other plan is better
 * @param size size of the whole program
 * @param check the measures of the proof
 */
public record OptimalPlan(
    double objective,
    List<ClassLevel> classes,
    List<String> tight,
    Map<String, Double> slacks,
    Map<String, Double> prices,
    ProgramSize size,
    SolutionCheck check) {
  /** Size of a program. */
  public record ProgramSize(int columns, int rows) {}

  /** Copies the collections, in their order. */
  public OptimalPlan {
    classes = List.copyOf(classes);
    tight = List.copyOf(tight);
    slacks = Collections.unmodifiableMap(new LinkedHashMap<>(slacks));
    prices = Collections.unmodifiableMap(new LinkedHashMap<>(prices));
  }
}
