package dev.pinion.handlers.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Distribution of the steps of a stage over workers, so that the last one ends soonest.
 *
 * <p>The longest step first, each to the worker that is free first (Graham 1969); a step for
 * another worker costs a hand-over. As many workers as pay: a further one must save a tenth.
 *
 * @param batches positions of steps by worker; the first worker begins the stage
 * @param nanos time from the beginning of the stage until the last worker is done
 */
record StageSchedule(List<List<Integer>> batches, double nanos) {
  private static final double WORTH_WHILE = 0.9;

  /** Copies the lists. */
  StageSchedule {
    batches = batches.stream().map(List::copyOf).toList();
  }

  /** All steps by one worker, in their order. */
  static StageSchedule alone(double[] times) {
    List<Integer> all = IntStream.range(0, times.length).boxed().toList();
    return new StageSchedule(
        times.length == 0 ? List.of() : List.of(all), Arrays.stream(times).sum());
  }

  /**
   * Steps distributed over as many workers as it pays.
   *
   * @param times time of each step, in nanoseconds
   * @param workers number of free workers, at least 1
   * @param handOverNanos cost of a hand-over to another worker
   */
  static StageSchedule best(double[] times, int workers, long handOverNanos) {
    StageSchedule best = alone(times);
    for (int count = 2; count <= Math.min(workers, times.length); count++) {
      StageSchedule wider = dealt(times, count, handOverNanos);
      if (wider.nanos < best.nanos * WORTH_WHILE) {
        best = wider;
      }
    }
    return best;
  }

  /** Steps distributed over a number of workers, whether it pays or not. */
  static StageSchedule dealt(double[] times, int workers, long handOverNanos) {
    int count = Math.min(workers, times.length);
    if (count <= 1) {
      return alone(times);
    }
    List<List<Integer>> bins = new ArrayList<>();
    double[] busyUntil = new double[count];
    for (int i = 0; i < count; i++) {
      bins.add(new ArrayList<>());
      busyUntil[i] = i == 0 ? 0 : handOverNanos;
    }
    IntStream.range(0, times.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> -times[i]))
        .forEach(
            step -> {
              int first = free(bins, busyUntil);
              bins.get(first).add(step);
              busyUntil[first] += times[step];
            });
    return new StageSchedule(bins, Arrays.stream(busyUntil).max().orElse(0));
  }

  /** The worker that is free first; each gets a first step before one gets a second. */
  private static int free(List<List<Integer>> bins, double[] busyUntil) {
    int first = 0;
    for (int i = 1; i < busyUntil.length; i++) {
      boolean idle = bins.get(i).isEmpty() && !bins.get(first).isEmpty();
      boolean sooner = busyUntil[i] < busyUntil[first];
      if (idle || (sooner && bins.get(i).isEmpty() == bins.get(first).isEmpty())) {
        first = i;
      }
    }
    return first;
  }
}
