package dev.pinion.broker.optimise;

import dev.pinion.broker.lp.LinearProgram;
import dev.pinion.broker.model.Implementation;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rows of a class with a task, and the weight of its time there. A task that occurs at several
 * places of the process counts once for each.
 */
final class TaskRows {
  private final int assignRow;
  private final Map<Integer, Double> flowRows = new LinkedHashMap<>();
  private final Map<String, Integer> slaRows;
  private double rootWeight;

  /**
   * A task.
   *
   * @param assignRow the row that distributes it
   * @param slaRows the bounds of its class, by {@code r}, {@code d} and {@code c}
   */
  TaskRows(int assignRow, Map<String, Integer> slaRows) {
    this.assignRow = assignRow;
    this.slaRows = slaRows;
  }

  /** Adds its time to the whole process. */
  void addToRoot(double times) {
    rootWeight += times;
  }

  /** Adds its time to a branch of a flow. */
  void addToFlow(int row, double times) {
    flowRows.merge(row, times, Double::sum);
  }

  /** Weight of its time in the whole process, without flows. */
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
