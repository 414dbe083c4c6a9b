package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;

/** Transformation of data on its way into a task and out of it (DSL, "Data Flow"). */
final class DataFlow {
  private final ExpressionEvaluator expressionEvaluator;
  private final ActivityTree activityTree;
  private final MemoryAccount memoryAccount;
  private final InstanceQuota instanceQuota;

  DataFlow(
      ExpressionEvaluator expressionEvaluator,
      ActivityTree activityTree,
      MemoryAccount memoryAccount,
      InstanceQuota instanceQuota) {
    this.expressionEvaluator = expressionEvaluator;
    this.activityTree = activityTree;
    this.memoryAccount = memoryAccount;
    this.instanceQuota = instanceQuota;
  }

  /**
   * Decides whether the task runs, checks and transforms its input and sets its timeout; returns
   * false when it is skipped, its output being its input.
   */
  boolean in(Activity activity) {
    TaskAttributes common = activity.node.attributes();
    Payload raw = activity.rawInput;
    activity.input = raw; // also when the phase is run again
    if (!expressionEvaluator.isTrue(activity, common.condition(), raw)) {
      activity.output = raw;
      return false;
    }
    expressionEvaluator.transform(activity, common.input().schema(), raw);
    Payload input = raw;
    if (common.input().transformation() != null) {
      input =
          instanceQuota.checked(
              expressionEvaluator.evaluate(activity, common.input().transformation(), raw));
    }
    activity.input = input;
    if (activity.parent == null) {
      activity.branch.begin(input);
    }
    long timeoutNanos = -1;
    if (common.timeoutNanos() != null) {
      timeoutNanos =
          instanceQuota.checkedDelay(
              expressionEvaluator.evaluate(activity, common.timeoutNanos(), input));
    }
    reserveCompensation(activity);
    memoryAccount.transferToActivity(activity);
    if (common.input().transformation() != null) {
      memoryAccount.charge(activity, input);
    }
    if (common.timeoutNanos() != null) {
      activityTree.startTimer(activity, Activity.TASK_TIMEOUT, timeoutNanos);
    }
    activity.next = common.next();
    activity.enter(ActivityPhase.BODY);
    return true;
  }

  /**
   * Reserves a place for the compensation of a task that begins, if it will be registered.
   *
   * @throws ExpressionException when there is none
   */
  private void reserveCompensation(Activity activity) {
    if (!Compensator.isRegistered(activity)) {
      return;
    }
    int most = instanceQuota.maxCompensations();
    if (!activity.instance.openCompensations().reserve(most)) {
      throw new ExpressionException(InstanceQuota.exceeded("instance.maxCompensations", most));
    }
    activity.reserves = true;
  }

  /** Transforms and checks the raw output, and exports to the context. */
  void out(Activity activity) {
    TaskAttributes common = activity.node.attributes();
    Payload raw = activity.rawOutput == null ? Payload.NULL : activity.rawOutput;
    activity.output = Payload.NULL; // also when the phase is run again
    if (activity.branches.length > 0) { // joined by the engine, of parts that are each small enough
      instanceQuota.checked(raw);
      instanceQuota.checked(activity.branch.context());
    }
    Payload output = raw;
    if (common.output().transformation() != null) {
      output =
          instanceQuota.checked(
              expressionEvaluator.evaluate(activity, common.output().transformation(), raw));
    }
    activity.output = output;
    expressionEvaluator.transform(activity, common.output().schema(), output);
    if (common.export().transformation() != null) {
      Payload context =
          expressionEvaluator.evaluate(activity, common.export().transformation(), output);
      instanceQuota.checked(context);
      expressionEvaluator.transform(activity, common.export().schema(), context);
      activity.branch.export(context);
    } else if (common.export().schema() != null) { // the context stays, and has to fit
      expressionEvaluator.transform(activity, common.export().schema(), activity.branch.context());
    }
  }
}
