package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Node;
import dev.pinion.core.limits.InstanceLimits;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
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

  /** Makes an activity a child of another one. */
  static void link(Activity parent, Activity child) {
    Activity first = parent.firstChild;
    child.nextSibling = first;
    if (first != null) {
      first.previousSibling = child;
    }
    parent.firstChild = child;
  }

  private static void unlink(Activity parent, Activity child) {
    if (child.previousSibling != null) {
      child.previousSibling.nextSibling = child.nextSibling;
    } else {
      parent.firstChild = child.nextSibling;
    }
    if (child.nextSibling != null) {
      child.nextSibling.previousSibling = child.previousSibling;
    }
    child.previousSibling = null;
    child.nextSibling = null;
  }

  /** Adds the activity of the workflow itself. */
  void enterRoot(Instance instance, Node.Do task) {
    Branch main = new Branch(null, 0, Payload.NULL, Payload.NULL);
    Activity root = new Activity(instance, task, null, main, null, 0, instance.rawInput);
    instance.add(root);
    memoryAccount.entered();
    instance.root = root;
    instance.ready.add(root);
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
      Activity activity = new Activity(instance, task, parent, branch, block, index, rawInput);
      instance.add(activity);
      memoryAccount.entered();
      link(parent, activity);
      begin(activity);
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

  /** Whether another task may begin; if not, the instance has ended. */
  private boolean mayBegin(Instance instance, Node task) {
    if (!instance.hasEnded() && instance.steps == limits.maxSteps()) {
      fail(instance, task, InstanceQuota.exceeded("instance.maxSteps", limits.maxSteps()));
    }
    return !instance.hasEnded();
  }

  /** Whether another activity fits; if not, the instance has ended. */
  private boolean hasRoom(Instance instance, Node task) {
    if (instance.activities() >= limits.maxActivities()) {
      fail(
          instance, task, InstanceQuota.exceeded("instance.maxActivities", limits.maxActivities()));
    }
    return !instance.hasEnded();
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
      effects.left(activity, HistoryEvent.EventKind.TASK_CANCELLED, null);
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
    effects.left(activity, HistoryEvent.EventKind.TASK_FAILED, error);
    releaseResources(activity);
  }

  /** Removes an activity that waits for nothing, and marks it as cancelled. */
  void drop(Activity activity) {
    activity.cancelled = true;
    remove(activity);
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

  /** Withdraws what a leaf activity waits for, cancels its timers and releases its memory. */
  void releaseResources(Activity activity) {
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
    memoryAccount.release(activity);
  }

  /** Removes a settled activity from the tree. */
  void remove(Activity activity) {
    if (activity.parent != null) {
      unlink(activity.parent, activity);
    }
    activity.instance.remove(activity);
    memoryAccount.removed();
  }

  /** Faults the whole instance; no {@code try} can handle it. */
  void fail(Instance instance, WorkflowError error) {
    finish(instance, InstanceState.FAULTED, null, error.at("/"));
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
