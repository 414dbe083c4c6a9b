package dev.pinion.handlers.plan;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Steps that run in parallel, after the previous stage and before the next. Each sees the message
 * as it was when the stage began; their changes are merged in their order.
 *
 * @param steps in the order of the chain
 */
public record ChainStage(List<Step> steps) {
  /** Copies the steps. */
  public ChainStage {
    steps = List.copyOf(steps);
  }

  @Override
  public String toString() {
    return steps.stream().map(Step::name).collect(Collectors.joining(" | "));
  }
}
