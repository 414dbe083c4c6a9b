package dev.pinion.handlers.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Groups the steps of a chain into as few stages as their conflicts allow: each step comes as early
 * as those before it in the given order allow. The result of the chain is the same as in that
 * order.
 */
public final class StagePlanner {
  private StagePlanner() {}

  /** Stages for steps in the given order. */
  public static List<ChainStage> plan(List<Step> steps) {
    int[] stageOf = new int[steps.size()];
    List<List<Step>> stages = new ArrayList<>();
    for (int i = 0; i < stageOf.length; i++) {
      stageOf[i] = earliest(steps, i, stageOf);
      if (stageOf[i] == stages.size()) {
        stages.add(new ArrayList<>());
      }
      stages.get(stageOf[i]).add(steps.get(i));
    }
    return stages.stream().map(ChainStage::new).toList();
  }

  private static int earliest(List<Step> steps, int later, int[] stageOf) {
    int earliest = 0;
    for (int i = 0; i < later; i++) {
      Optional<Conflict> conflict = Conflict.between(steps.get(i), steps.get(later));
      if (conflict.isPresent()) {
        int least = stageOf[i] + (conflict.get().kind().separates() ? 1 : 0);
        earliest = Math.max(earliest, least);
      }
    }
    return earliest;
  }

  /** All conflicts between the steps, by the order of the later and then of the earlier one. */
  public static List<Conflict> conflicts(List<Step> steps) {
    List<Conflict> conflicts = new ArrayList<>();
    for (int later = 0; later < steps.size(); later++) {
      for (int earlier = 0; earlier < later; earlier++) {
        Conflict.between(steps.get(earlier), steps.get(later)).ifPresent(conflicts::add);
      }
    }
    return conflicts;
  }
}
