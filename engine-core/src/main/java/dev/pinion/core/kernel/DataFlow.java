package dev.pinion.core.kernel;

import dev.pinion.core.ir.TaskCommon;
import dev.pinion.core.model.Payload;

/** Transformation of data on its way into a task and out of it (DSL, "Data Flow"). */
final class DataFlow {
  private final Evaluation evaluation;
  private final Activities activities;
  private final Holdings holdings;
  private final Bounds bounds;

  DataFlow(Evaluation evaluation, Activities activities, Holdings holdings, Bounds bounds) {
    this.evaluation = evaluation;
    this.activities = activities;
    this.holdings = holdings;
    this.bounds = bounds;
  }

  /**
   * Decides whether the task runs, checks and transforms its input and sets its timeout; returns
   * false when it is skipped, its output being its input.
   */
  boolean in(Activity activity) {
    TaskCommon common = activity.node.common();
    Payload raw = activity.rawInput;
    activity.input = raw; // also when the phase is run again
    if (!evaluation.holds(activity, common.condition(), raw)) {
      activity.output = raw;
      return false;
    }
    evaluation.transform(activity, common.inputSchema(), raw);
    Payload input = raw;
    if (common.inputFrom() != null) {
      input = bounds.checked(evaluation.of(activity, common.inputFrom(), raw));
    }
    activity.input = input;
    if (activity.parent == null) {
      activity.branch.begin(input);
    }
    long timeoutNanos = -1;
    if (common.timeoutNanos() != null) {
      timeoutNanos = bounds.checkedDelay(evaluation.of(activity, common.timeoutNanos(), input));
    }
    holdings.adopt(activity);
    if (common.inputFrom() != null) {
      holdings.keep(activity, input);
    }
    if (common.timeoutNanos() != null) {
      activities.startTimer(activity, Activity.TASK_TIMEOUT, timeoutNanos);
    }
    activity.next = common.next();
    activity.enter(Phase.BODY);
    return true;
  }

  /** Transforms and checks the raw output, and exports to the context. */
  void out(Activity activity) {
    TaskCommon common = activity.node.common();
    Payload raw = activity.rawOutput == null ? Payload.NULL : activity.rawOutput;
    activity.output = Payload.NULL; // also when the phase is run again
    if (activity.branches.length > 0) { // joined by the engine, of parts that are each small enough
      bounds.checked(raw);
      bounds.checked(activity.branch.context());
    }
    Payload output = raw;
    if (common.outputAs() != null) {
      output = bounds.checked(evaluation.of(activity, common.outputAs(), raw));
    }
    activity.output = output;
    evaluation.transform(activity, common.outputSchema(), output);
    if (common.exportAs() != null) {
      Payload context = evaluation.of(activity, common.exportAs(), output);
      bounds.checked(context);
      evaluation.transform(activity, common.exportSchema(), context);
      activity.branch.export(context);
    }
  }
}
