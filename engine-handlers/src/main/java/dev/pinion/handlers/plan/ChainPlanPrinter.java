package dev.pinion.handlers.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A plan for people: the steps that run together, and the reasons why others do not. */
public final class ChainPlanPrinter {
  private ChainPlanPrinter() {}

  /**
   * One line for each stage, and below it for each of its steps the reason why it is not in the
   * stage before: the steps there that it conflicts with, those of its own stage that it must not
   * precede, or the given layout.
   */
  public static List<String> lines(ChainPlan plan) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < plan.stages().size(); i++) {
      ChainStage chainStage = plan.stages().get(i);
      lines.add("stage " + (i + 1) + ": " + chainStage);
      for (Step step : chainStage.steps()) {
        if (i > 0) {
          lines.add("  " + step + ": " + reason(plan.stages().get(i - 1), chainStage, step));
        }
      }
    }
    return lines;
  }

  private static String reason(ChainStage before, ChainStage own, Step step) {
    List<String> reasons = conflicts(before.steps(), step, true);
    if (reasons.isEmpty()) {
      reasons = conflicts(own.steps().subList(0, own.steps().indexOf(step)), step, false);
    }
    return reasons.isEmpty()
        ? "nothing keeps it from running in parallel with " + before + " but the layout given"
        : String.join("; ", reasons);
  }

  private static List<String> conflicts(List<Step> earlier, Step step, boolean separating) {
    return earlier.stream()
        .map(each -> Conflict.between(each, step))
        .flatMap(Optional::stream)
        .filter(conflict -> conflict.kind().separates() == separating)
        .map(Conflict::toString)
        .toList();
  }
}
