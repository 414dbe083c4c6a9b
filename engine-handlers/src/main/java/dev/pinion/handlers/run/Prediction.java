package dev.pinion.handlers.run;

import java.util.ArrayList;
import java.util.List;

/**
 * What a chain is expected to take, from the times of its steps.
 *
 * <p>A stage takes as long as its longest worker, with what it costs to hand work over. A number of
 * messages that follow each other through stages with a worker each take the sum of the stages and,
 * for each further message, the longest stage: the equations of the DHArch paper, corrected for
 * stages of different length.
 *
 * @param sequentialNanos one message, its steps one after another
 * @param stageNanos each stage, its steps dealt to workers where that pays; with the service that
 *     they surround, that is the last one
 */
public record Prediction(double sequentialNanos, List<Double> stageNanos) {
  /** Copies the list. */
  public Prediction {
    stageNanos = List.copyOf(stageNanos);
  }

  /**
   * Predicts.
   *
   * @param stages nanoseconds of each step of each stage
   * @param workers how many there are
   * @param handOverNanos what it costs to hand something to another worker
   */
  public static Prediction of(List<List<Double>> stages, int workers, long handOverNanos) {
    double sum = stages.stream().flatMap(List::stream).mapToDouble(each -> each).sum();
    return new Prediction(
        sum,
        stages.stream()
            .map(stage -> StageSchedule.best(array(stage), workers, handOverNanos).nanos())
            .toList());
  }

  private static double[] array(List<Double> times) {
    return times.stream().mapToDouble(each -> each).toArray();
  }

  /**
   * This, with the service that the handlers surround: a stage of its own, which no worker of
   * theirs does.
   *
   * @param nanos what it takes for a message, at least 0; 0 is no service
   */
  public Prediction withService(double nanos) {
    if (nanos == 0) {
      return this;
    }
    List<Double> all = new ArrayList<>(stageNanos);
    all.add(nanos);
    return new Prediction(sequentialNanos + nanos, all);
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

  /** Who works with whom on a stage, as it is predicted: places of steps by worker. */
  public static List<List<Integer>> recommended(
      List<Double> stage, int workers, long handOverNanos) {
    return StageSchedule.best(array(stage), workers, handOverNanos).bins();
  }

  /** How many times faster one message is than with its steps one after another. */
  public double speedUp() {
    double parallel = parallelNanos();
    return parallel == 0 ? 1 : sequentialNanos / parallel;
  }
}
