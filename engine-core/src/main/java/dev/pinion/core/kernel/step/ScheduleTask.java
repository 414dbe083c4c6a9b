package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Node;
import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.ChildStart;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.schedule.Recurrence;
import dev.pinion.core.schedule.ScheduleProgress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The task of an instance that keeps a schedule: waits for a due time, has a run started, and waits
 * again. Its raw output is the progress so far.
 *
 * <p>Which of these comes next follows from the events alone, not from due times: a replay goes the
 * same way although a time zone may have other rules by then.
 */
public final class ScheduleTask {
  private final ActivityTree activityTree;
  private final EffectSink effects;
  private final MemoryAccount memoryAccount;
  private final int maxQueued;

  ScheduleTask(
      ActivityTree activityTree, EffectSink effects, MemoryAccount memoryAccount, int maxQueued) {
    this.activityTree = activityTree;
    this.effects = effects;
    this.memoryAccount = memoryAccount;
    this.maxQueued = maxQueued;
  }

  /**
   * Due time of the run that an activity wants, in milliseconds since the epoch; {@link
   * Recurrence#NONE} when its task keeps no schedule. Its values must be unpacked.
   */
  public static long dueOf(Activity activity) {
    Payload kept = activity.rawOutput;
    return activity.node instanceof Node.Schedule task && kept != null
        ? ScheduleProgress.read(task.rule(), 0, kept).due()
        : Recurrence.NONE;
  }

  /** How far the schedule of an instance has come; null before its first turn. */
  public static @Nullable ScheduleProgress progressOf(Instance instance) {
    Node.Schedule task = instance.graph.scheduleTask();
    Activity activity = activity(instance);
    Payload kept = activity == null ? null : activity.rawOutput;
    return task == null || kept == null ? null : ScheduleProgress.read(task.rule(), 0, kept);
  }

  /** Begins the schedule, or goes on where an event has left it. */
  void run(Activity activity, Node.Schedule task) {
    long now = activity.instance.nowEpochMillis;
    ScheduleProgress progress;
    if (activity.rawOutput == null) {
      progress = ScheduleProgress.begin(task.rule(), maxQueued, activity.input, now);
      activity.rawOutput = progress.write();
    } else {
      progress = read(activity, task);
    }
    if (progress.isWanted()) {
      start(activity, task);
    } else if (progress.wake() != Recurrence.NONE) {
      long delayMillis = Math.max(0, progress.wake() - now);
      activityTree.startTimer(activity, Activity.DELAY, TimeUnit.MILLISECONDS.toNanos(delayMillis));
    }
  }

  /** Has the wanted run started; its end is awaited where it decides about the next one. */
  private void start(Activity activity, Node.Schedule task) {
    ChildStart start = task.run();
    int attempt = activity.instance.nextAttempt();
    activity.awaiting = attempt;
    activity.sent = false;
    memoryAccount.chargeCall(activity, start);
    effects.startChild(activity, attempt, start);
  }

  /** Ends the wait for a due time. */
  void due(Activity activity, Node.Schedule task) {
    change(activity, task, progress -> progress.fire(activity.instance.nowEpochMillis));
    activityTree.makeReady(activity, ActivityPhase.BODY);
  }

  /** Handles what became of a run. */
  void reported(Activity activity, Node.Schedule task, CallOutcome outcome) {
    long now = activity.instance.nowEpochMillis;
    change(activity, task, progress -> take(progress, outcome, now));
    activityTree.makeReady(activity, ActivityPhase.BODY);
  }

  private static void take(ScheduleProgress progress, CallOutcome outcome, long now) {
    switch (outcome) {
      case CallOutcome.Succeeded(Payload run) -> {
        String id = Objects.requireNonNullElse(run.text(RunReport.ID), "");
        String state = run.text(RunReport.STATE);
        if (state == null) {
          progress.started(id, run.number(RunReport.STARTED), now);
        } else {
          progress.ended(id, run.number(RunReport.STARTED), state, now);
        }
      }
      case CallOutcome.Failed(WorkflowError error) -> progress.refused(reason(error), now);
      case CallOutcome.Aborted _ ->
          throw new IllegalStateException("expected what became of a run, found an aborted call");
    }
  }

  private static String reason(WorkflowError error) {
    String detail = error.detail();
    return detail == null ? ErrorType.RUNTIME.title() : detail;
  }

  /** Pauses the schedule: nothing is due any more. A run that is wanted or under way stays. */
  void pause(Instance instance) {
    Activity activity = activity(instance);
    if (activity != null) {
      activityTree.cancelTimer(activity, Activity.DELAY);
    }
  }

  /** Lets the schedule go on from now: what was due before is passed over. */
  void resume(Instance instance, Node.Schedule task) {
    Activity activity = activity(instance);
    if (activity == null || activity.rawOutput == null) {
      return; // it has not begun
    }
    activityTree.cancelTimer(activity, Activity.DELAY);
    change(activity, task, progress -> progress.resume(instance.nowEpochMillis));
    if (activity.awaiting == 0 && !instance.ready.contains(activity)) {
      activityTree.makeReady(activity, ActivityPhase.BODY);
    }
  }

  /** The activity that keeps the schedule of an instance; null before its first turn. */
  public static @Nullable Activity activity(Instance instance) {
    return instance.root == null ? null : instance.root.firstChild;
  }

  private ScheduleProgress read(Activity activity, Node.Schedule task) {
    Payload kept = Objects.requireNonNullElse(activity.rawOutput, Payload.EMPTY_OBJECT);
    return ScheduleProgress.read(task.rule(), maxQueued, kept);
  }

  private void change(Activity activity, Node.Schedule task, Consumer<ScheduleProgress> change) {
    ScheduleProgress progress = read(activity, task);
    long missed = progress.missed();
    long skipped = progress.skipped();
    change.accept(progress);
    activity.rawOutput = progress.write();
    if (progress.missed() != missed || progress.skipped() != skipped) {
      effects.passedOver(activity, progress.missed() - missed, progress.skipped() - skipped);
    }
  }
}
