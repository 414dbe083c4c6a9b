package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;

/** The {@code for} task: runs one iteration after another, each on the output of the last. */
final class ForTask {
  private final ActivityTree activityTree;
  private final int maxItems;
  private final ExpressionEvaluator expressionEvaluator;
  private final MemoryAccount memoryAccount;
  private final InstanceQuota instanceQuota;

  ForTask(
      ActivityTree activityTree,
      EngineLimits limits,
      ExpressionEvaluator expressionEvaluator,
      MemoryAccount memoryAccount,
      InstanceQuota instanceQuota) {
    this.activityTree = activityTree;
    this.maxItems = limits.instance().maxItems();
    this.expressionEvaluator = expressionEvaluator;
    this.memoryAccount = memoryAccount;
    this.instanceQuota = instanceQuota;
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
        || !expressionEvaluator.isTrue(activity, task.condition(), current)) {
      return true;
    }
    activityTree.enter(activity, activity.branch, task.body(), 0, current);
    return false;
  }

  private void begin(Activity activity, Node.For task) {
    activity.items = expressionEvaluator.evaluate(activity, task.in(), activity.input);
    if (activity.items.size() > maxItems) {
      throw new ExpressionException(InstanceQuota.exceeded("instance.maxItems", maxItems));
    }
    memoryAccount.charge(activity, activity.items, instanceQuota.checkedWeight(activity.items));
    activity.rawOutput = activity.input;
    activity.enter(ActivityPhase.BODY); // questions are evaluated anew in every iteration
  }

  void iterationEnded(Activity activity, Payload output) {
    activity.rawOutput = output;
    activity.cursor++;
    activityTree.makeReady(activity, ActivityPhase.BODY);
  }
}
