package dev.pinion.handlers.run;

import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainStage;
import dev.pinion.handlers.plan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Distributes the steps of one stage over workers, for each message. A layout that depends on
 * measurements is recomputed now and then.
 */
final class StageScheduler {
  private static final int LOOK_AGAIN = 64;

  private final int[] waitedFor;
  private final int[][] alone;
  private final List<StepCounters> counters;
  private final Workers workers;
  private final ChainOptions.SideBySide sideBySide;
  private final boolean divisible;
  private final AtomicReferenceArray<int[][]> byFree;
  private int uses; // updates may be lost in races, which is harmless

  private StageScheduler(ChainSteps chain, ChainStage chainStage, int firstStep) {
    List<Integer> places = new ArrayList<>();
    List<StepCounters> counted = new ArrayList<>();
    int worthwhile = 0;
    for (int i = 0; i < chainStage.steps().size(); i++) {
      Step step = chainStage.steps().get(i);
      if (!step.declaration().oneway()) {
        places.add(i);
        counted.add(chain.counters(firstStep + i));
        worthwhile += step.declaration().work() == Work.CHEAP ? 0 : 1;
      }
    }
    this.waitedFor = places.stream().mapToInt(Integer::intValue).toArray();
    this.alone = waitedFor.length == 0 ? new int[0][] : new int[][] {waitedFor};
    this.counters = List.copyOf(counted);
    this.workers = chain.workers();
    this.sideBySide = chain.plan().options().sideBySide();
    this.divisible =
        worthwhile > 1 && workers.count() > 1 && sideBySide != ChainOptions.SideBySide.NEVER;
    this.byFree = new AtomicReferenceArray<>(workers.count() + 1);
  }

  /** One for each stage of a chain. */
  static List<StageScheduler> of(ChainSteps chain) {
    List<StageScheduler> layouts = new ArrayList<>();
    int firstStep = 0;
    for (ChainStage chainStage : chain.plan().stages()) {
      layouts.add(new StageScheduler(chain, chainStage, firstStep));
      firstStep += chainStage.steps().size();
    }
    return layouts;
  }

  /**
   * Positions of steps, by worker; the first worker begins the stage.
   *
   * @param inFlight number of messages under way; their workers are not free
   */
  int[][] batches(int inFlight) {
    if (!divisible) {
      return alone;
    }
    boolean measured = counters.stream().allMatch(StepCounters::isMeasured);
    boolean always = sideBySide == ChainOptions.SideBySide.ALWAYS;
    int free =
        always ? workers.count() : Math.clamp(workers.count() - inFlight + 1L, 1, workers.count());
    if (free == 1 || (!measured && !always)) {
      return alone;
    }
    if (uses++ % LOOK_AGAIN == 0) {
      byFree.set(free, null);
    }
    return remembered(free);
  }

  private int[][] remembered(int free) {
    int @Nullable [][] known = byFree.get(free);
    if (known == null) {
      known = schedule(free);
      byFree.set(free, known);
    }
    return known;
  }

  private int[][] schedule(int free) {
    // A step without measurements counts as if it took a second, like the others in its stage.
    double[] times =
        counters.stream()
            .mapToDouble(each -> each.isMeasured() ? each.recentNanos() : 1e9)
            .toArray();
    StageSchedule schedule =
        sideBySide == ChainOptions.SideBySide.ALWAYS
            ? StageSchedule.dealt(times, free, workers.handoffNanos())
            : StageSchedule.best(times, free, workers.handoffNanos());
    return schedule.batches().stream()
        .map(bin -> bin.stream().mapToInt(i -> waitedFor[i]).toArray())
        .toArray(int[][]::new);
  }
}
