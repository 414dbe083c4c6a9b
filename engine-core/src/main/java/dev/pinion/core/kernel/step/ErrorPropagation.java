package dev.pinion.core.kernel.step;

import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.kernel.step.compensation.Compensations;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of an error from the task that failed outwards, to what handles it. */
final class ErrorPropagation {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorPropagation.class);

  /** Bytes written in the time of one step of an expression. */
  private static final int BYTES_PER_STEP = 16;

  private final int maxRetryBytes;
  private final ActivityTree activityTree;
  private final TaskBehaviours taskBehaviours;
  private final Compensator compensator;
  private final InstanceQuota instanceQuota;
  private final ExpressionEvaluator expressionEvaluator;
  private final ByteWriter state = new ByteWriter();

  ErrorPropagation(
      EngineLimits limits,
      ActivityTree activityTree,
      TaskBehaviours taskBehaviours,
      Compensator compensator,
      InstanceQuota instanceQuota,
      ExpressionEvaluator expressionEvaluator) {
    this.maxRetryBytes = limits.kernel().maxRetryBytes();
    this.activityTree = activityTree;
    this.taskBehaviours = taskBehaviours;
    this.compensator = compensator;
    this.instanceQuota = instanceQuota;
    this.expressionEvaluator = expressionEvaluator;
  }

  /**
   * Fails an activity: removes it with everything inside it and looks for a handler of the error (a
   * {@code try} that runs its body, a competing fork with branches left, or the host of a
   * compensation), else faults the instance.
   */
  void fault(Activity failed, WorkflowError failure) {
    String pointer = failed.node.attributes().pointer();
    WorkflowError error = instanceQuota.checked(failure.at(pointer)).at(pointer);
    Activity activity = failed;
    Activity parent = failed.parent;
    if (parent != null && mayBeRetried(failed.instance) && !isAbsorbed(failed, parent)) {
      keepToRetry(failed, error);
      activity = parent;
      parent = activity.parent;
    }
    while (parent != null) {
      activityTree.removeFailed(activity, error);
      if (activity.isCompensation()) {
        compensator.failed(activity, error);
        return;
      }
      if (taskBehaviours.catchesError(parent, error)) {
        return;
      }
      activity = parent;
      parent = activity.parent;
    }
    activityTree.leave(failed.instance, InstanceState.FAULTED, error);
  }

  /**
   * Faults the whole instance, or only the compensation that a task is part of.
   *
   * @param around the task, or null
   */
  void failWhole(Instance instance, @Nullable Activity around, WorkflowError error) {
    Activity compensation = Compensator.around(around);
    if (compensation != null && isUnderWay(compensation)) {
      activityTree.removeFailed(compensation, error);
      compensator.failed(compensation, error);
    } else {
      activityTree.fail(instance, error);
    }
  }

  /**
   * Ends the task after a defect of the engine, or the instance when the task is already removed.
   */
  void onEngineDefect(Activity activity, RuntimeException e) {
    Instance instance = activity.instance;
    String pointer = activity.node.attributes().pointer();
    LOG.error("task {} of {} failed inside the engine", pointer, instance.id, e);
    WorkflowError error =
        WorkflowError.of(ErrorType.RUNTIME, "the engine failed to run this task: " + e).at(pointer);
    if (isUnderWay(activity)) {
      fault(activity, error);
    } else {
      failWhole(instance, activity.parent, error);
    }
  }

  /** The error of what took too long. */
  static WorkflowError timeout(String what) {
    return WorkflowError.of(ErrorType.TIMEOUT, "the " + what + " took longer than its timeout");
  }

  /** Whether an activity is part of the tree. */
  @SuppressWarnings("ReferenceEquality") // slots are reused
  private static boolean isUnderWay(Activity activity) {
    return activity.instance.activity(activity.slot) == activity;
  }

  /** Whether a client may continue an instance that fails now: nothing of it will be undone. */
  private static boolean mayBeRetried(Instance instance) {
    Compensations compensations = instance.compensations;
    return compensations == null || (compensations.isEmpty() && !compensations.hasFailed());
  }

  private boolean isAbsorbed(Activity failed, Activity parent) {
    for (Activity around = parent; around != null; around = around.parent) {
      if (around.isCompensation() || taskBehaviours.wouldCatch(around)) {
        return true;
      }
    }
    return failed.isCompensation();
  }

  /** Serializes the state of the instance before the task whose failure nothing handles. */
  private void keepToRetry(Activity failed, WorkflowError error) {
    Instance instance = failed.instance;
    activityTree.rewind(failed, error);
    InstanceWriter.write(instance, state);
    if (state.size() <= maxRetryBytes) {
      instance.stateToRetry = state.toBytes();
    }
    expressionEvaluator.charge(state.size() / BYTES_PER_STEP);
    state.clear();
    activityTree.drop(failed);
  }
}
