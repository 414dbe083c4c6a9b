package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.event.EventMatch;
import dev.pinion.core.kernel.step.event.EventMatches;
import dev.pinion.core.kernel.step.event.RunReport;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.schedule.Recurrence;
import dev.pinion.core.schedule.ScheduleProgress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The task of an instance that keeps a schedule: waits for a due time or for events, has a run
 * started, and waits again. Its raw output is the progress so far.
 *
 * <p>Which of these comes next follows from the events alone, not from due times: a replay goes the
 * same way although a time zone may have other rules by then.
 */
public final class ScheduleTask {
  private final ActivityTree activityTree;
  private final EffectSink effects;
  private final MemoryAccount memoryAccount;
  private final ListenTask listenTask;
  private final ScheduledEvents scheduledEvents;
  private final int maxQueued;
  private final int maxEvents;

  ScheduleTask(
      ActivityTree activityTree,
      EngineLimits limits,
      EffectSink effects,
      MemoryAccount memoryAccount,
      ListenTask listenTask,
      ScheduledEvents scheduledEvents) {
    this.activityTree = activityTree;
    this.effects = effects;
    this.memoryAccount = memoryAccount;
    this.listenTask = listenTask;
    this.scheduledEvents = scheduledEvents;
    this.maxQueued = limits.schedule().maxQueued();
    this.maxEvents = limits.instance().maxEvents();
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

  /**
   * Time from which events count for an activity that keeps a schedule; 0 when those count that it
   * has not consumed. Its values must be unpacked.
   */
  public static long sinceOf(Activity activity) {
    Payload kept = activity.rawOutput;
    return activity.node instanceof Node.Schedule task && kept != null
        ? ScheduleProgress.read(task.rule(), 0, kept).since()
        : 0;
  }

  /**
   * Whether events count for an activity since the same time as for the instance before it. Its
   * values must be unpacked.
   */
  public static boolean goesOn(Activity activity) {
    ScheduleHandover handover = new ScheduleHandover(activity.input);
    return handover.hasPlace() && handover.since() == sinceOf(activity);
  }

  /** The start of the run that an activity wants. Its values must be unpacked. */
  public static ChildStart startOf(Activity activity, Node.Schedule task) {
    EventMatch next = activity.matches == null ? null : activity.matches.first();
    return task.run(next == null ? Payload.EMPTY_OBJECT : next.input());
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
    ScheduleProgress progress =
        activity.rawOutput == null ? begin(activity, task, now) : read(activity, task);
    if (progress.isWanted()) {
      start(activity, task);
    } else if (progress.wake() != Recurrence.NONE) {
      long delayMillis = Math.max(0, progress.wake() - now);
      activityTree.startTimer(activity, Activity.DELAY, TimeUnit.MILLISECONDS.toNanos(delayMillis));
    }
  }

  private ScheduleProgress begin(Activity activity, Node.Schedule task, long now) {
    Node.Listen listen = task.listens();
    ScheduleProgress progress = ScheduleProgress.begin(task.rule(), maxQueued, activity.input, now);
    if (listen == null) {
      activity.rawOutput = progress.write();
      return progress;
    }
    @Nullable String[] keys = listenTask.keys(activity, listen);
    ScheduleHandover handover = new ScheduleHandover(activity.input);
    EventMatches matches = handover.matches(listen);
    if (!ScheduleProgress.hasRule(task.rule(), activity.input)) {
      for (EventMatch old = matches.oldest(); old != null; old = matches.oldest()) {
        matches.close(old);
        progress.leaveOut(null);
      }
    }
    matches.forEachEvent(event -> memoryAccount.retain(activity, event));
    progress.listenSince(handover.hasPlace() ? progress.since() : now);
    activity.matches = matches;
    activity.listening =
        new ListenState(activity.instance.nextAttempt(), keys, handover.positions());
    wantNext(activity, progress, now);
    if (handover.isPaused() && progress.isWanted()) {
      progress.postpone(now);
    }
    activity.rawOutput = progress.write();
    effects.listen(activity);
    return progress;
  }

  /** Wants a run for the events that wait for one, unless it is to come anyway. */
  private void wantNext(Activity activity, ScheduleProgress progress, long now) {
    EventMatch next = activity.matches == null ? null : activity.matches.first();
    if (next != null && progress.isIdle()) {
      progress.want(next.due());
      if (activity.instance.events >= maxEvents) {
        progress.postpone(now); // leaves it to its successor
      }
    }
  }

  /** Has the wanted run started; its end is awaited where it decides about the next one. */
  private void start(Activity activity, Node.Schedule task) {
    ChildStart start = startOf(activity, task);
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

  /** Receives an event; returns whether the schedule wants it. */
  boolean receive(Activity activity, Node.Schedule task, Event.EventReceived received) {
    ListenState heard = activity.listening;
    if (heard == null || heard.number != received.attempt() || heard.closed) {
      return false;
    }
    heard.positions.add(received.position());
    ScheduleProgress progress =
        change(
            activity,
            task,
            each -> {
              scheduledEvents.take(activity, task, each, received);
              wantNext(activity, each, activity.instance.nowEpochMillis);
            });
    if (!progress.isIdle() && activity.armed(Activity.DELAY) == 0) {
      proceed(activity);
    }
    return true;
  }

  /** Lets the activity go on, unless it will anyway. */
  private void proceed(Activity activity) {
    if (activity.awaiting == 0 && !activity.instance.ready.contains(activity)) {
      activityTree.makeReady(activity, ActivityPhase.BODY);
    }
  }

  /** Handles what became of a run. */
  void reported(Activity activity, Node.Schedule task, CallOutcome outcome) {
    long now = activity.instance.nowEpochMillis;
    change(
        activity,
        task,
        progress -> {
          take(progress, outcome, now);
          if (outcome instanceof CallOutcome.Succeeded) {
            dropBegun(activity);
            wantNext(activity, progress, now);
          }
        });
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

  /** Forgets the events whose run has begun. */
  private void dropBegun(Activity activity) {
    EventMatch begun = activity.matches == null ? null : activity.matches.poll();
    if (begun != null) {
      begun.events().forEach(event -> memoryAccount.drop(activity, event));
    }
  }

  /** Pauses the schedule: nothing is due any more. A run that is wanted or under way stays. */
  void pause(Instance instance) {
    Activity activity = activity(instance);
    if (activity == null) {
      return;
    }
    activityTree.cancelTimer(activity, Activity.DELAY);
    ListenState heard = activity.listening;
    if (heard != null && !heard.closed) {
      heard.closed = true;
      effects.unlisten(activity);
    }
  }

  /**
   * Lets the schedule go on from now: what was due before is passed over, and so are the events of
   * the pause. Those that came before it wait on.
   */
  void resume(Instance instance, Node.Schedule task) {
    Activity activity = activity(instance);
    if (activity == null || activity.rawOutput == null) {
      return; // it has not begun
    }
    activityTree.cancelTimer(activity, Activity.DELAY);
    long now = instance.nowEpochMillis;
    ListenState heard = activity.listening;
    boolean paused = heard != null && heard.closed;
    change(
        activity,
        task,
        progress -> {
          progress.resume(now);
          if (paused) {
            progress.listenSince(now);
          }
          wantNext(activity, progress, now);
        });
    if (heard != null && paused) {
      heard.closed = false;
      effects.listen(activity);
    }
    proceed(activity);
  }

  /** The activity that keeps the schedule of an instance; null before its first turn. */
  public static @Nullable Activity activity(Instance instance) {
    return instance.root == null ? null : instance.root.firstChild;
  }

  private ScheduleProgress read(Activity activity, Node.Schedule task) {
    Payload kept = Objects.requireNonNullElse(activity.rawOutput, Payload.EMPTY_OBJECT);
    return ScheduleProgress.read(task.rule(), maxQueued, kept);
  }

  private ScheduleProgress change(
      Activity activity, Node.Schedule task, Consumer<ScheduleProgress> change) {
    ScheduleProgress progress = read(activity, task);
    long missed = progress.missed();
    long skipped = progress.skipped();
    change.accept(progress);
    activity.rawOutput = progress.write();
    if (progress.missed() != missed || progress.skipped() != skipped) {
      effects.passedOver(activity, progress.missed() - missed, progress.skipped() - skipped);
    }
    return progress;
  }
}
