package dev.pinion.broker.optimise;

import dev.pinion.broker.lp.LinearProgram;
import dev.pinion.broker.model.Implementation;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * In which rows of a class a task stands, and how often its time counts there. A task that occurs
 * at several places of the process counts once for each.
 */
final class TaskRows {
  private final int assignRow;
  private final Map<Integer, Double> flowRows = new LinkedHashMap<>();
  private final Map<String, Integer> slaRows;
  private double rootWeight;

  /**
   * A task.
   *
   * @param assignRow the row that shares it out
   * @param slaRows the bounds of its class, by {@code r}, {@code d} and {@code c}
   */
  TaskRows(int assignRow, Map<String, Integer> slaRows) {
    this.assignRow = assignRow;
    this.slaRows = slaRows;
  }

  /** Its time counts for the whole process. */
  void addToRoot(double times) {
    rootWeight += times;
  }

  /** Its time counts for a branch of a flow. */
  void addToFlow(int row, double times) {
    flowRows.merge(row, times, Double::sum);
  }

  /** How often its time counts for the whole process, flows aside. */
  double rootWeight() {
    return rootWeight;
  }

  /** Adds the entries of the column of an implementation. */
  void addEntries(LinearProgram.Builder builder, Implementation implementation, double visits) {
    builder.entry(assignRow, 1);
    flowRows.forEach((row, times) -> builder.entry(row, times * implementation.response()));
    Map<String, Double> coefficients =
        Map.of(
            "r", rootWeight * implementation.response(),
            "d", visits * implementation.logReliability(),
            "c", visits * implementation.cost());
    slaRows.forEach((kind, row) -> builder.entry(row, coefficients.getOrDefault(kind, 0.0)));
  }
}
