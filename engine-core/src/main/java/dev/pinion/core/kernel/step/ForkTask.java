package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.compensation.CompensationScope;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tasks whose parts run side by side: {@code fork} and the parallel loop. */
final class ForkTask {
  private final ActivityTree activityTree;
  private final int maxFanOut;
  private final ExpressionEvaluator expressionEvaluator;
  private final MemoryAccount memoryAccount;
  private final InstanceQuota instanceQuota;
  private final Compensator compensator;

  ForkTask(
      ActivityTree activityTree,
      EngineLimits limits,
      ExpressionEvaluator expressionEvaluator,
      MemoryAccount memoryAccount,
      InstanceQuota instanceQuota,
      Compensator compensator) {
    this.activityTree = activityTree;
    this.maxFanOut = limits.instance().maxFanOut();
    this.expressionEvaluator = expressionEvaluator;
    this.memoryAccount = memoryAccount;
    this.instanceQuota = instanceQuota;
    this.compensator = compensator;
  }

  /** Starts every branch; returns whether there are none. */
  boolean fork(Activity activity, Node.Fork task) {
    int width = task.branches().size();
    begin(activity, width);
    if (width == 0) {
      activity.rawOutput = task.compete() ? activity.input : Payload.array(List.of());
      return true;
    }
    for (int i = 0; i < width && !activity.cancelled; i++) {
      Branch branch = open(activity, i, Payload.NULL);
      activityTree.enterBranch(activity, branch, task.branches().get(i), activity.input);
    }
    return false;
  }

  /** Starts as many items as may run at a time; returns whether there are none. */
  boolean forEach(Activity activity, Node.ParallelForEach task) {
    activity.items = expressionEvaluator.evaluate(activity, task.in(), activity.input);
    begin(activity, activity.items.size());
    memoryAccount.charge(activity, activity.items, instanceQuota.checkedWeight(activity.items));
    if (activity.items.isEmpty()) {
      activity.rawOutput = Payload.array(List.of());
      return true;
    }
    int concurrency = task.maxConcurrency() == 0 ? maxFanOut : task.maxConcurrency();
    for (int i = 0; i < concurrency && !activity.cancelled; i++) {
      startNextItem(activity, task);
    }
    return false;
  }

  private void begin(Activity activity, int width) {
    if (width > maxFanOut) {
      throw new ExpressionException(InstanceQuota.exceeded("instance.maxFanOut", maxFanOut));
    }
    expressionEvaluator.charge(width);
    activity.results = new Payload[width];
    Arrays.fill(activity.results, Payload.NULL);
    activity.branches = new Branch[width];
    Branch unopened = new Branch(activity, -1, Payload.NULL, activity.branch.context());
    Arrays.fill(activity.branches, unopened);
  }

  private static Branch open(Activity activity, int index, Payload item) {
    Branch branch = new Branch(activity, index, item, activity.branch.context());
    activity.branches[index] = branch;
    activity.open++;
    return branch;
  }

  private void startNextItem(Activity activity, Node.ParallelForEach task) {
    if (activity.cursor < activity.items.size()) {
      int index = activity.cursor++;
      Branch branch = open(activity, index, activity.items.get(index));
      activityTree.enter(activity, branch, task.body(), 0, activity.input);
    }
  }

  /** Handles the output of a branch or item. */
  void branchEnded(Activity activity, Branch branch, Payload output) {
    activity.open--;
    if (activity.node instanceof Node.Fork fork && fork.compete()) {
      win(activity, branch, output);
      return;
    }
    activity.results[branch.index] = output;
    if (activity.node instanceof Node.ParallelForEach loop) {
      startNextItem(activity, loop);
    }
    if (activity.open == 0) {
      join(activity);
    }
  }

  private void win(Activity activity, Branch branch, Payload output) {
    activityTree.cancelChildren(activity);
    if (branch.hasExported()) {
      activity.branch.export(branch.context());
    }
    activity.rawOutput = output;
    boolean compensates = compensator.begin(activity, scopeOfLosers(activity, branch));
    activityTree.makeReady(activity, compensates ? ActivityPhase.COMPENSATE : ActivityPhase.EXIT);
  }

  /** One scope of what completed in all branches but the winner, or null. */
  private static @Nullable CompensationScope scopeOfLosers(Activity activity, Branch winner) {
    CompensationScope all = null;
    for (Branch branch : activity.branches) {
      CompensationScope own = branch == winner ? null : branch.scope();
      if (own != null) {
        all = all == null ? new CompensationScope() : all;
        own.leaveTo(all);
      }
    }
    return all;
  }

  private void join(Activity activity) {
    List<Payload> contexts = new ArrayList<>();
    for (Branch branch : activity.branches) {
      if (branch.hasExported()) {
        contexts.add(branch.context());
      }
    }
    if (!contexts.isEmpty()) {
      activity.branch.export(Payload.merge(activity.branch.context(), contexts));
    }
    activity.rawOutput = Payload.array(Arrays.asList(activity.results));
    activityTree.makeReady(activity, ActivityPhase.EXIT);
  }

  /** Whether other branches can still win when a competing branch fails. */
  boolean wouldLoseBranch(Activity activity) {
    return activity.open > 1;
  }

  /** Removes a competing branch that failed; returns whether others can still win. */
  boolean losesBranch(Activity activity) {
    activity.open--;
    return activity.open > 0;
  }
}
