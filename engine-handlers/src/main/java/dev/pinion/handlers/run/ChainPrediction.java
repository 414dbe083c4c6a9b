package dev.pinion.handlers.run;

import java.util.ArrayList;
import java.util.List;

/**
 * The expected time of a chain, from the times of its steps.
 *
 * <p>A stage takes as long as its longest worker, including the cost of hand-overs. A number of
 * messages in a pipeline of stages with a worker each take the sum of the stages and, for each
 * further message, the longest stage: the equations of the DHArch paper, corrected for stages of
 * different length.
 *
 * @param sequentialNanos one message, its steps one after another
 * @param stageNanos each stage, its steps distributed over workers where that pays; the surrounded
 *     service, if any, is the last one
 */
public record ChainPrediction(double sequentialNanos, List<Double> stageNanos) {
  /** Copies the list. */
  public ChainPrediction {
    stageNanos = List.copyOf(stageNanos);
  }

  /**
   * Predicts.
   *
   * @param stages nanoseconds of each step of each stage
   * @param workers number of workers
   * @param handOverNanos cost of a hand-over to another worker
   */
  public static ChainPrediction of(List<List<Double>> stages, int workers, long handOverNanos) {
    double sum = stages.stream().flatMap(List::stream).mapToDouble(each -> each).sum();
    return new ChainPrediction(
        sum,
        stages.stream()
            .map(stage -> StageSchedule.best(array(stage), workers, handOverNanos).nanos())
            .toList());
  }

  private static double[] array(List<Double> times) {
    return times.stream().mapToDouble(each -> each).toArray();
  }

  /**
   * This prediction, with the service that the handlers surround: a separate stage, which takes
   * none of their workers.
   *
   * @param nanos time of the service for a message, at least 0; 0 means no service
   */
  public ChainPrediction withService(double nanos) {
    if (nanos == 0) {
      return this;
    }
    List<Double> all = new ArrayList<>(stageNanos);
    all.add(nanos);
    return new ChainPrediction(sequentialNanos + nanos, all);
  }

  /** One message, its stages one after another. */
  public double parallelNanos() {
    return stageNanos.stream().mapToDouble(each -> each).sum();
  }

  /** A number of messages, each stage busy with another one. */
  public double pipelinedNanos(int messages) {
    double longest = stageNanos.stream().mapToDouble(each -> each).max().orElse(0);
    return parallelNanos() + (messages - 1) * longest;
  }

  /** The predicted distribution of a stage: positions of steps by worker. */
  public static List<List<Integer>> recommended(
      List<Double> stage, int workers, long handOverNanos) {
    return StageSchedule.best(array(stage), workers, handOverNanos).batches();
  }

  /** Speed-up of one message over its steps one after another. */
  public double speedUp() {
    double parallel = parallelNanos();
    return parallel == 0 ? 1 : sequentialNanos / parallel;
  }
}
