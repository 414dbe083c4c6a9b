package dev.pinion.handlers.plan;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Steps that run side by side, between those of the stage before and those of the stage after. Each
 * sees the message as it was when the stage began; what they change is merged in their order.
 *
 * @param steps in the order of the chain
 */
public record Stage(List<Step> steps) {
  /** Copies the steps. */
  public Stage {
    steps = List.copyOf(steps);
  }

  @Override
  public String toString() {
    return steps.stream().map(Step::name).collect(Collectors.joining(" | "));
  }
}
