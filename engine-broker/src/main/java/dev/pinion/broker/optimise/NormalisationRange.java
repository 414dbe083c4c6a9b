package dev.pinion.broker.optimise;

import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * The values of the process of a class between the best and the worst implementation of each task,
 * regardless of bounds: weighted objectives are normalised by it.
 *
 * @param low least value
 * @param high greatest value
 */
record NormalisationRange(double low, double high) {
  /** Width up to which a range is a point, and its term of an objective is dropped. */
  private static final double POINT = 1e-12;

  boolean isPoint() {
    return high - low <= POINT;
  }

  double width() {
    return high - low;
  }

  /** Range of mean response times. */
  static NormalisationRange ofResponse(
      ProcessNode process,
      ServiceClass serviceClass,
      CandidateImplementations candidateImplementations) {
    Map<String, DoubleSummaryStatistics> tasks = new HashMap<>();
    for (String task : VisitRatios.of(process, serviceClass).keySet()) {
      tasks.put(task, extremes(candidateImplementations, task, Implementation::response));
    }
    return new NormalisationRange(
        ResponseTimeModel.of(process, serviceClass, task -> of(tasks, task).getMin()),
        ResponseTimeModel.of(process, serviceClass, task -> of(tasks, task).getMax()));
  }

  private static DoubleSummaryStatistics of(
      Map<String, DoubleSummaryStatistics> tasks, String task) {
    return Objects.requireNonNull(tasks.get(task), task);
  }

  /** Range of sums over visits: cost, logarithm of reliability. */
  static NormalisationRange ofSum(
      Map<String, Double> visits,
      CandidateImplementations candidateImplementations,
      ToDoubleFunction<Implementation> value) {
    double low = 0;
    double high = 0;
    for (Map.Entry<String, Double> each : visits.entrySet()) {
      DoubleSummaryStatistics extremes = extremes(candidateImplementations, each.getKey(), value);
      low += each.getValue() * extremes.getMin();
      high += each.getValue() * extremes.getMax();
    }
    return new NormalisationRange(low, high);
  }

  private static DoubleSummaryStatistics extremes(
      CandidateImplementations candidateImplementations,
      String task,
      ToDoubleFunction<Implementation> value) {
    return candidateImplementations.of(task).stream().mapToDouble(value).summaryStatistics();
  }
}
