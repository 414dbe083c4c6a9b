package dev.pinion.core.kernel;

import dev.pinion.core.ir.Node;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;

/** The {@code for} task: runs one iteration after another, each on the output of the last. */
final class Loops {
  private final Activities activities;
  private final int maxItems;
  private final Evaluation evaluation;
  private final Holdings holdings;
  private final Bounds bounds;

  Loops(
      Activities activities,
      EngineLimits limits,
      Evaluation evaluation,
      Holdings holdings,
      Bounds bounds) {
    this.activities = activities;
    this.maxItems = limits.instance().maxItems();
    this.evaluation = evaluation;
    this.holdings = holdings;
    this.bounds = bounds;
  }

  /**
   * Begins or continues the loop; returns whether it has ended. The raw output so far is the
   * current value.
   */
  boolean run(Activity activity, Node.For task) {
    if (activity.rawOutput == null) {
      begin(activity, task);
    }
    Payload current = activity.rawOutput == null ? activity.input : activity.rawOutput;
    if (activity.cursor == activity.items.size()
        || !evaluation.holds(activity, task.condition(), current)) {
      return true;
    }
    activities.enter(activity, activity.branch, task.body(), 0, current);
    return false;
  }

  private void begin(Activity activity, Node.For task) {
    activity.items = evaluation.of(activity, task.in(), activity.input);
    if (activity.items.size() > maxItems) {
      throw new ExpressionException(Bounds.exceeded("instance.maxItems", maxItems));
    }
    holdings.keep(activity, activity.items, bounds.checkedWeight(activity.items));
    activity.rawOutput = activity.input;
    activity.enter(Phase.BODY); // questions are evaluated anew in every iteration
  }

  void iterationEnded(Activity activity, Payload output) {
    activity.rawOutput = output;
    activity.cursor++;
    activities.makeReady(activity, Phase.BODY);
  }
}
