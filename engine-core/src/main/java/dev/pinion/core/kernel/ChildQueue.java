package dev.pinion.core.kernel;

import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.ParentLink;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is under way between instances and their children: children to be started, ends to be
 * reported, and cancellations, suspensions and resumptions that follow those of parents. {@link
 * Children} does this work, outside of any turn. Kernel thread only.
 *
 * <pre>
 *   turn of a parent ──start, withdrawal──▶┌───────┐──start, cancel, suspend, resume──▶ child
 *   turn of a child ────────end───────────▶│ queue │──────────outcome────────────────▶ parent
 *                                          └───────┘
 * </pre>
 *
 * <p>A replay of the journal fills the queue in the same way; records of what was done take it out
 * again. So at the end of a replay it holds what is left to do.
 */
public final class ChildQueue {
  private final Instances instances;

  /** Running children whose end is awaited. */
  private final Map<ChildWait, InstanceId> running = new HashMap<>();

  /** Activities whose children are to be started. */
  private final SequencedMap<ChildWait, Activity> starts = new LinkedHashMap<>();

  /** Those of suspended instances, which begin nothing. */
  private final SequencedMap<ChildWait, Activity> held = new LinkedHashMap<>();

  private final ChildOutcomes outcomes;

  /** What is to be done with children because of their parents. */
  private final SequencedMap<InstanceId, PendingControl> controls = new LinkedHashMap<>();

  /** Restored activities that wait for children, until they are compared with these. */
  private final List<Activity> restored = new ArrayList<>();

  /** Whether a replay has restored parents or children since they were compared. */
  private boolean unsettled;

  /** Whether another kernel does the work: then nothing is kept here. */
  private boolean follows;

  /** What is done with a child because of its parent. */
  enum ChildControl {
    CANCEL,
    SUSPEND,
    RESUME
  }

  /** A child to start. */
  record PendingStart(ChildWait waiting, Activity activity) {}

  /**
   * A child to control.
   *
   * @param since number of events of the child when this was known to be under way
   */
  record PendingControl(InstanceId child, ChildControl control, int since) {}

  ChildQueue(Instances instances) {
    this.instances = instances;
    this.outcomes = new ChildOutcomes(instances.memoryAccount());
  }

  /** Keeps nothing from now on: another kernel does the work. */
  public void follow() {
    follows = true;
  }

  /** Requests the child of an activity. */
  void request(Activity activity) {
    starts.put(ChildWait.of(activity, activity.awaiting()), activity);
  }

  /**
   * Withdraws the child of an activity, which waits no longer: one that runs is cancelled, unless
   * it is the run of a schedule.
   */
  public void withdraw(Activity activity, int attempt) {
    ChildWait wait = ChildWait.of(activity, attempt);
    starts.remove(wait);
    held.remove(wait);
    outcomes.remove(wait);
    InstanceId child = running.remove(wait);
    if (child != null && !activity.keepsSchedule()) {
      want(child, ChildControl.CANCEL);
    }
  }

  /** Passes a change of an instance on to the children that it waits for. */
  public void changed(Instance instance, EventKind eventKind) {
    switch (eventKind) {
      case INSTANCE_SUSPENDED -> control(instance, ChildControl.SUSPEND);
      case INSTANCE_RESUMED -> {
        release(instance);
        control(instance, ChildControl.RESUME);
      }
      default -> {}
    }
  }

  private void want(InstanceId child, ChildControl control) {
    controls.put(child, new PendingControl(child, control, 0));
  }

  private void control(Instance parent, ChildControl control) {
    if (running.isEmpty() || parent.graph().scheduleTask() != null) {
      return;
    }
    parent.forEachActivity(
        activity -> {
          InstanceId child = running.get(ChildWait.of(activity, activity.awaiting()));
          if (child != null) {
            want(child, control);
          }
        });
  }

  /** Requests the children that a suspended instance did not start. */
  private void release(Instance parent) {
    held.entrySet()
        .removeIf(
            each -> {
              boolean own = each.getKey().parent().equals(parent.id());
              if (own) {
                starts.put(each.getKey(), each.getValue());
              }
              return own;
            });
  }

  /** Ties a child whose start is recorded to the activity that waits for its end or its start. */
  public void started(Instance child) {
    ParentLink link = child.parent();
    if (link == null || follows) {
      return;
    }
    ChildWait wait = ChildWait.of(link);
    starts.remove(wait);
    if (link.awaited()) {
      running.put(wait, child.id());
    } else if (isAwaited(wait)) {
      outcomes.put(wait, ChildOutcomes.ofStart(child));
    }
  }

  /** Whether the child that an activity wants is still to be started. */
  boolean isRequested(Activity activity) {
    return starts.containsKey(ChildWait.of(activity, activity.awaiting()));
  }

  /** The running child whose end an activity awaits, or null. */
  @Nullable InstanceId awaitedChild(Activity activity) {
    return running.get(ChildWait.of(activity, activity.awaiting()));
  }

  /** Ties a child from its state to its parent, which may be restored later. */
  public void restored(Instance child) {
    ParentLink link = child.parent();
    if (link != null && link.awaited() && !follows) {
      running.put(ChildWait.of(link), child.id());
    }
  }

  /** Reports the end of an instance to the activity that waits for it, if there is one. */
  public void ended(Instance instance) {
    controls.remove(instance.id());
    ParentLink link = instance.parent();
    if (link == null || !link.awaited()) {
      return;
    }
    ChildWait wait = ChildWait.of(link);
    if (running.remove(wait, instance.id()) && mayBeAwaited(wait)) {
      outcomes.put(wait, ChildOutcomes.ofEnd(instance));
    }
  }

  /** A parent that arrives from elsewhere with its child may not be here yet. */
  private boolean mayBeAwaited(ChildWait wait) {
    return isAwaited(wait) || instances.isReleased(wait.parent().partition());
  }

  /** Whether an activity here waits under a number. */
  boolean isAwaited(ChildWait wait) {
    Instance parent = instances.running(wait.parent());
    Activity activity = parent == null ? null : parent.activity(wait.activity());
    return activity != null && activity.awaitsChild() && activity.awaiting() == wait.attempt();
  }

  /** Reports that a child is left out of a recovery, so that nobody starts it once more. */
  public void lost(@Nullable ParentLink link, InstanceId child, String reason) {
    if (link != null && !follows) {
      outcomes.put(ChildWait.of(link), ChildOutcomes.lost(link, child, reason));
    }
  }

  /** Takes out what a record shows as done. In a replay. */
  public void replayed(JournalRecord record) {
    switch (record.event()) {
      case Event.CallCompleted done when !outcomes.isEmpty() ->
          outcomes.remove(new ChildWait(done.id(), done.activity(), done.attempt()));
      case Event.Cancelled _ -> controls.remove(record.id());
      case Event.Suspended _, Event.Resumed _ -> suspendedOrResumed(record);
      default -> {}
    }
  }

  /** A client may have done this as well: a cancellation is still to be made. */
  private void suspendedOrResumed(JournalRecord record) {
    PendingControl wanted = controls.get(record.id());
    if (wanted != null
        && wanted.control() != ChildControl.CANCEL
        && record.sequence() >= wanted.since()) {
      controls.remove(record.id());
    }
  }

  /** Restores an outcome from a snapshot. */
  void restore(ChildWait wait, CallOutcome outcome) {
    if (!follows) {
      outcomes.put(wait, outcome);
    }
  }

  /** Restores a control from a snapshot; records of earlier events of the child may follow. */
  void restore(PendingControl control) {
    if (!follows) {
      controls.put(control.child(), control);
    }
  }

  /** Ends a replay, after which these activities wait for children. */
  public void recovered(Iterable<Activity> waiting) {
    waiting.forEach(restored::add);
    unsettled |=
        !(restored.isEmpty() && running.isEmpty() && outcomes.isEmpty() && controls.isEmpty());
  }

  /** Whether {@link #compare} has something to do. */
  boolean isUnsettled() {
    return unsettled;
  }

  /**
   * Compares parents with children after a replay: requests children that do not exist, and cancels
   * those for which nobody waits any more.
   */
  void compare() {
    unsettled = false;
    controls
        .values()
        .removeIf(each -> each.control() == ChildControl.CANCEL && isCompensating(each.child()));
    for (Activity activity : restored) {
      ChildWait wait = ChildWait.of(activity, activity.awaiting());
      if (isAwaited(wait) && !running.containsKey(wait) && !outcomes.contains(wait)) {
        starts.put(wait, activity);
      }
    }
    restored.clear();
    outcomes.removeIf(wait -> !isAwaited(wait));
    running
        .entrySet()
        .removeIf(
            each -> {
              boolean orphan = !isAwaited(each.getKey());
              if (orphan && !isRun(each.getValue()) && !isCompensating(each.getValue())) {
                want(each.getValue(), ChildControl.CANCEL);
              }
              return orphan;
            });
  }

  /** Whether a running child is the run of a schedule, which lives on without it. */
  private boolean isRun(InstanceId id) {
    Instance child = instances.running(id);
    return child != null && ChildOutcomes.isRun(child.parent());
  }

  /**
   * Whether a child compensates already. It may have been cancelled, and suspended again since: a
   * second cancellation would resume it.
   */
  private boolean isCompensating(InstanceId id) {
    Instance child = instances.running(id);
    return child != null && child.isCompensating();
  }

  /** Whether nothing is under way, and no child runs that is awaited. */
  public boolean isEmpty() {
    return hasOnlyStarts() && starts.isEmpty() && held.isEmpty() && running.isEmpty();
  }

  /** Whether there is nothing to do but, perhaps, to start children. */
  boolean hasOnlyStarts() {
    return outcomes.isEmpty() && controls.isEmpty() && !unsettled;
  }

  /** The next activity whose child is to be started; null when there is none. */
  @Nullable Activity nextStart() {
    Map.Entry<ChildWait, Activity> next = starts.firstEntry();
    return next == null ? null : next.getValue();
  }

  /** Removes and returns the next child to start; null when there is none. */
  @Nullable PendingStart pollStart() {
    Map.Entry<ChildWait, Activity> next = starts.pollFirstEntry();
    return next == null ? null : new PendingStart(next.getKey(), next.getValue());
  }

  /** Has a start be the next one again. */
  void putBack(PendingStart start) {
    starts.putFirst(start.waiting(), start.activity());
  }

  /** Keeps a start until the parent is resumed. */
  void hold(PendingStart start) {
    held.put(start.waiting(), start.activity());
  }

  /** Removes and returns the next child to control; null when there is none. */
  @Nullable PendingControl pollControl() {
    Map.Entry<InstanceId, PendingControl> next = controls.pollFirstEntry();
    return next == null ? null : next.getValue();
  }

  /** Visits the controls of running children that are not recorded yet, as they are now. */
  void forEachControl(Consumer<PendingControl> look) {
    for (PendingControl each : controls.values()) {
      Instance child = instances.running(each.child());
      if (child != null) {
        look.accept(new PendingControl(each.child(), each.control(), child.events()));
      }
    }
  }

  /** Outcomes that are not recorded yet. */
  ChildOutcomes outcomes() {
    return outcomes;
  }

  /** Forgets everything about partitions that have moved away. */
  void forget(BitSet partitions) {
    outcomes.removeIf(wait -> partitions.get(wait.parent().partition()));
    running.keySet().removeIf(wait -> partitions.get(wait.parent().partition()));
    starts.keySet().removeIf(wait -> partitions.get(wait.parent().partition()));
    held.keySet().removeIf(wait -> partitions.get(wait.parent().partition()));
    controls.keySet().removeIf(child -> partitions.get(child.partition()));
    restored.removeIf(activity -> partitions.get(activity.instance().id().partition()));
  }
}
