package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.attempt.TryState;
import dev.pinion.core.kernel.step.compensation.CompensationScope;
import dev.pinion.core.kernel.step.compensation.Compensations;
import dev.pinion.core.kernel.step.compensation.CompletedTask;
import dev.pinion.core.kernel.step.compensation.PendingEnd;
import dev.pinion.core.kernel.step.compensation.Unwinding;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.limits.InstanceLimits;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tree of an instance's activities: adds them, removes them with all that they hold, and ends
 * the instance.
 *
 * <p>An activity that is ready has nothing inside it and waits for nothing but its timeout.
 */
final class ActivityTree {
  private final InstanceLimits limits;
  private final EffectSink effects;
  private final MemoryAccount memoryAccount;

  ActivityTree(InstanceLimits limits, EffectSink effects, MemoryAccount memoryAccount) {
    this.limits = limits;
    this.effects = effects;
    this.memoryAccount = memoryAccount;
  }

  /**
   * Adds the activity of the workflow itself.
   *
   * @param delayNanos time until it begins; 0 to begin now
   */
  void enterRoot(Instance instance, Node.Do task, long delayNanos) {
    Branch main = new Branch(null, 0, Payload.NULL, Payload.NULL);
    Activity root = new Activity(instance, task, null, main, null, 0, instance.rawInput);
    instance.add(root);
    memoryAccount.entered();
    instance.root = root;
    if (delayNanos > 0) {
      startTimer(root, Activity.DELAY, delayNanos);
    } else {
      instance.ready.add(root);
    }
  }

  /** Adds an activity for a task of a block and makes it ready. */
  void enter(Activity parent, Branch branch, Block block, int index, Payload rawInput) {
    enter(parent, branch, block, index, block.tasks().get(index), rawInput);
  }

  /** Adds the activity of a fork's branch and makes it ready. */
  void enterBranch(Activity parent, Branch branch, Node task, Payload rawInput) {
    enter(parent, branch, null, 0, task, rawInput);
  }

  private void enter(
      Activity parent,
      Branch branch,
      @Nullable Block block,
      int index,
      Node task,
      Payload rawInput) {
    Instance instance = parent.instance;
    if (mayBegin(instance, task) && hasRoom(instance, task)) {
      add(new Activity(instance, task, parent, branch, block, index, rawInput));
    }
  }

  private void add(Activity activity) {
    activity.instance.add(activity);
    memoryAccount.entered();
    begin(activity);
  }

  /**
   * Adds the activity that compensates a completed task, on the output of that task, and makes it
   * ready. Calls of one that begins once more go on counting their attempts.
   */
  void enterCompensation(Activity host, CompletedTask completed) {
    Instance instance = host.instance;
    Node.Do task = completed.compensation().task();
    if (mayBegin(instance, task) && hasRoom(instance, task)) {
      Activity activity =
          new Activity(instance, task, host, host.branch, null, 0, completed.output());
      activity.compensated = completed;
      activity.earlierAttempts = completed.isBegun() ? instance.mostAttempts : 0;
      completed.begin();
      add(activity);
    }
  }

  /**
   * Moves an activity whose task has ended, and which is {@linkplain #releaseResources settled}, to
   * another task of its block.
   */
  void move(Activity activity, Block block, int index, Payload rawInput) {
    Node task = block.tasks().get(index);
    if (mayBegin(activity.instance, task)) {
      activity.moveTo(task, index, rawInput);
      begin(activity);
    }
  }

  /** Whether another task may begin; if not, the instance has failed. */
  private boolean mayBegin(Instance instance, Node task) {
    if (instance.hasEnded()) {
      return false;
    }
    PendingEnd pendingEnd = instance.pendingEnd();
    int before = pendingEnd == null ? 0 : pendingEnd.stepsBefore();
    if (instance.steps - before == limits.maxSteps()) {
      fail(instance, task, InstanceQuota.exceeded("instance.maxSteps", limits.maxSteps()));
      return false;
    }
    return true;
  }

  /** Fails an instance that has had too many events; one that keeps a schedule has no end. */
  boolean isOverQuota(Instance instance) {
    int most = limits.maxEvents();
    PendingEnd pendingEnd = instance.pendingEnd();
    int before = pendingEnd == null ? 0 : pendingEnd.eventsBefore();
    if (instance.events - before <= most || instance.graph.scheduleTask() != null) {
      return false;
    }
    fail(instance, InstanceQuota.exceeded("instance.maxEvents", most));
    return true;
  }

  /** Whether another activity fits; if not, the instance has failed. */
  private boolean hasRoom(Instance instance, Node task) {
    if (instance.activities() < limits.maxActivities()) {
      return true;
    }
    fail(instance, task, InstanceQuota.exceeded("instance.maxActivities", limits.maxActivities()));
    return false;
  }

  private void fail(Instance instance, Node task, WorkflowError error) {
    fail(instance, error.at(task.attributes().pointer()));
  }

  private void begin(Activity activity) {
    activity.instance.steps++;
    if (activity.runs.length > 0) {
      activity.runs[activity.index]++;
    }
    effects.entered(activity);
    activity.instance.ready.add(activity);
  }

  /** Makes an activity ready in a phase. */
  void makeReady(Activity activity, ActivityPhase activityPhase) {
    activity.enter(activityPhase);
    activity.instance.ready.add(activity);
  }

  /** Starts one of an activity's timers, replacing an earlier one of the same kind. */
  void startTimer(Activity activity, int kind, long delayNanos) {
    cancelTimer(activity, kind);
    int attempt = activity.instance.nextAttempt();
    activity.arm(kind, attempt);
    effects.startTimer(activity, kind, attempt, delayNanos);
  }

  /** Cancels one of an activity's timers, if it is set. */
  void cancelTimer(Activity activity, int kind) {
    if (activity.armed(kind) != 0) {
      activity.arm(kind, 0);
      effects.cancelTimer(activity, kind);
    }
  }

  /** Cancels everything inside an activity. */
  void cancelChildren(Activity activity) {
    for (Activity child = activity.firstChild; child != null; child = activity.firstChild) {
      cancel(child);
    }
  }

  /** Cancels an activity and everything inside it. */
  void cancel(Activity activity) {
    cancelChildren(activity);
    if (activity.parent != null) {
      effects.left(activity, EventKind.TASK_CANCELLED, null);
    }
    releaseResources(activity);
    drop(activity);
  }

  /** Ends and removes an activity that failed, with everything inside it. */
  void removeFailed(Activity activity, WorkflowError error) {
    fail(activity, error);
    drop(activity);
  }

  /**
   * Returns an activity that failed to the beginning of its task; it becomes the last ready one.
   */
  void rewind(Activity activity, WorkflowError error) {
    fail(activity, error);
    activity.restart(activity.instance.mostAttempts);
    activity.instance.ready.remove(activity);
    activity.instance.ready.add(activity);
  }

  private void fail(Activity activity, WorkflowError error) {
    cancelChildren(activity);
    effects.left(activity, EventKind.TASK_FAILED, error);
    releaseResources(activity);
  }

  /** Removes an activity that waits for nothing, and marks it as cancelled. */
  void drop(Activity activity) {
    activity.cancelled = true;
    remove(activity);
  }

  /**
   * Withdraws what a leaf activity waits for, cancels its timers, releases its memory, and leaves
   * what completed inside it to the scope around it.
   */
  void releaseResources(Activity activity) {
    stopWaiting(activity);
    if (activity.reserves) {
      activity.reserves = false;
      activity.instance.openCompensations().free();
    }
    if (activity.instance.compensations != null) {
      leaveScopes(activity);
    }
    memoryAccount.release(activity);
  }

  /** The scope in which a task completes. */
  static CompensationScope scopeAround(Activity task) {
    Activity at = task;
    for (Activity parent = at.parent; parent != null; parent = at.parent) {
      CompensationScope inside = scopeInside(parent, at);
      if (inside != null) {
        return inside;
      }
      at = parent;
    }
    return at.instance.openCompensations().whole();
  }

  /** The scope that a task is for one of its children, or null. */
  private static @Nullable CompensationScope scopeInside(Activity parent, Activity child) {
    TryState tryState = parent.tryState;
    if (tryState != null && tryState.mode() == TryState.TryMode.TRYING) {
      return tryState.openScope();
    }
    return parent.node instanceof Node.Fork fork && fork.compete() && parent.unwinding == null
        ? child.branch.openScope()
        : null;
  }

  /** Leaves the completed tasks of all scopes that a task is to the one around it. */
  private static void leaveScopes(Activity task) {
    Unwinding unwinding = task.unwinding;
    if (unwinding != null && task.parent != null) {
      unwinding.scope().leaveTo(scopeAround(task));
    }
    task.unwinding = null;
    TryState tryState = task.tryState;
    if (tryState != null && tryState.scope() != null) {
      tryState.openScope().leaveTo(scopeAround(task));
    }
    for (Branch branch : task.branches) {
      if (branch.scope() != null) {
        branch.openScope().leaveTo(scopeAround(task));
      }
    }
  }

  /** Withdraws what a leaf activity waits for, if it waits. */
  void withdraw(Activity activity) {
    int attempt = activity.awaiting;
    if (attempt != 0) {
      boolean busy = !activity.awaitsAtLeisure();
      activity.awaiting = 0;
      activity.instance.pending(busy ? -1 : 0);
      effects.withdraw(activity, attempt);
      if (activity.evaluating == 0) {
        CallIdempotencyKeys.ended(activity);
      }
      activity.awaitNothing();
    }
  }

  private void stopWaiting(Activity activity) {
    withdraw(activity);
    for (int kind = 0; kind < Activity.timerKinds(); kind++) {
      cancelTimer(activity, kind);
    }
    if (activity.listening != null) {
      if (!activity.listening.closed) {
        effects.unlisten(activity);
      }
      activity.listening = null;
    }
  }

  /** Removes a settled activity from the tree. */
  void remove(Activity activity) {
    activity.instance.remove(activity);
    memoryAccount.removed();
  }

  /** Faults the whole instance; no {@code try} can handle it. */
  void fail(Instance instance, WorkflowError error) {
    leave(instance, InstanceState.FAULTED, error.at("/"));
  }

  /**
   * Ends the instance for an error or a cancellation, after its completed tasks are compensated.
   * One that compensates them already has gone beyond its limits: it ends as far as it came.
   *
   * @param outcome state at the end: faulted, or cancelled
   */
  void leave(Instance instance, InstanceState outcome, WorkflowError error) {
    Compensations compensations = instance.compensations;
    if (compensations == null) {
      finish(instance, outcome, error);
    } else if (compensations.pendingEnd() != null) {
      finishCompensated(instance, compensations, true);
    } else if (compensations.isEmpty()) {
      InstanceState state = compensations.hasFailed() ? InstanceState.FAULTED : outcome;
      finish(instance, state, compensations.reported(error));
    } else if (!instance.hasEnded()) {
      compensations.pendingEnd(
          new PendingEnd(outcome, error.toPayload(), instance.steps, instance.events));
      compensate(instance, compensations);
    }
  }

  private void compensate(Instance instance, Compensations compensations) {
    Activity root = Objects.requireNonNull(instance.root, "a running instance");
    cancelChildren(root);
    stopWaiting(root);
    root.evaluating = 0;
    memoryAccount.chargePendingEnd(instance);
    compensations.beginRound();
    root.unwinding = new Unwinding(compensations.whole());
    effects.changed(instance, EventKind.INSTANCE_COMPENSATING);
    instance.ready.clear();
    makeReady(root, ActivityPhase.COMPENSATE);
  }

  /**
   * Ends an instance whose completed tasks were compensated. One with something left has faulted,
   * and its error says what.
   *
   * @param failed whether it ends before all were
   */
  void finishCompensated(Instance instance, Compensations compensations, boolean failed) {
    PendingEnd pendingEnd = Objects.requireNonNull(compensations.pendingEnd(), "a pending end");
    boolean isLeft = failed || compensations.hasFailed();
    InstanceState state = isLeft ? InstanceState.FAULTED : pendingEnd.outcome();
    finish(instance, state, compensations.reported(WorkflowError.of(pendingEnd.error())));
  }

  /** Ends the instance without an output; one that has faulted has the error. */
  private void finish(Instance instance, InstanceState state, WorkflowError error) {
    finish(instance, state, null, state == InstanceState.FAULTED ? error : null);
  }

  /** Ends the instance with everything inside it, unless it has ended. */
  void finish(
      Instance instance,
      InstanceState state,
      @Nullable Payload output,
      @Nullable WorkflowError error) {
    if (instance.hasEnded()) {
      return;
    }
    Activity root = instance.root;
    if (root != null && instance.activity(root.slot) == root) {
      cancel(root);
    }
    instance.root = null;
    instance.ready.clear();
    memoryAccount.closed(instance);
    if (instance.compensations != null && state == InstanceState.COMPLETED) {
      instance.compensations.completed();
    }
    instance.end(state, instance.nowEpochMillis, output, error);
    tellWaiters(instance, output);
    effects.ended(instance);
  }

  /**
   * Replies to clients that wait for the end. The shared output is counted with the first reply.
   */
  private void tellWaiters(Instance instance, @Nullable Payload output) {
    InstanceView view = instance.view();
    long carried = output == null || instance.waiters().isEmpty() ? 0 : memoryAccount.carry(output);
    for (ReplyAddress<? super Reply.EndReply> waiter : instance.waiters()) {
      effects.reply(instance, waiter, new Reply.Ended(view, carried));
      carried = 0;
    }
    instance.waiters().clear();
  }
}
