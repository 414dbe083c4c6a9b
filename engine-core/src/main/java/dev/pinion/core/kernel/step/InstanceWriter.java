package dev.pinion.core.kernel.step;

import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.kernel.step.attempt.TryState;
import dev.pinion.core.kernel.step.codec.InstanceOrigin;
import dev.pinion.core.kernel.step.codec.TaskIndex;
import dev.pinion.core.kernel.step.codec.ValueWriter;
import dev.pinion.core.kernel.step.phase.EvaluationMemo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the whole state of an instance between two turns, so that {@link InstanceReader} rebuilds
 * one that continues in the same way.
 *
 * <p>Results of evaluations made elsewhere for an unfinished phase are not written, only the fact:
 * phases are pure, so they are evaluated again. Calls in progress are not written either; they
 * follow from their tasks.
 */
public final class InstanceWriter {
  private final ByteWriter out;
  private final ValueWriter values;
  private final Instance instance;
  private final IdentityHashMap<Branch, Integer> branches = new IdentityHashMap<>();
  private final BitSet readySlots = new BitSet();

  private InstanceWriter(ByteWriter out, Instance instance) {
    this.out = out;
    this.values = new ValueWriter(out);
    this.instance = instance;
  }

  /** Appends the state of an instance that has not ended. */
  public static void write(Instance instance, ByteWriter out) {
    new InstanceWriter(out, instance).write();
  }

  private void write() {
    Activity root = instance.root;
    if (root == null) {
      throw new IllegalStateException("expected instance " + instance.id + " to be running");
    }
    out.putLong(instance.id.value());
    values.put(instance.graph.key());
    out.putLong(instance.graph.fingerprint());
    new InstanceOrigin(instance.durability, instance.parent()).write(out);
    out.putNumber(instance.startedAtEpochMillis);
    out.putNumber(instance.eventNanos);
    putSince(instance.nowEpochMillis);
    out.putCount(instance.steps);
    out.putCount(instance.events);
    out.putNumber(instance.advances);
    out.putCount(instance.roomChecks);
    out.putCount(instance.lastAttempt());
    out.putCount(instance.pending());
    out.putFlag(instance.suspended);
    out.putNumber(instance.heldBytes());
    values.put(instance.rawInput);
    values.put(instance.tags);
    putSlots();
    putReady();
    putBranch(root.branch);
    putActivities(root);
    putBindings();
    CallStateCodec.write(instance, out);
    ListenStateCodec.write(instance, values);
    if (instance.compensations != null) {
      CompensationCodec.write(instance, instance.compensations, values);
    }
    EventMatchesCodec.write(instance, values);
  }

  private void putBindings() {
    List<Activity> bound = new ArrayList<>();
    instance.forEachActivity(
        each -> {
          if (each.awaiting != 0 && each.awaiting == each.boundAttempt) {
            bound.add(each);
          }
        });
    out.putCount(instance.bindings().size());
    instance
        .bindings()
        .forEach(
            (service, to) -> {
              out.putText(service);
              out.putText(to);
            });
    out.putCount(bound.size());
    for (Activity activity : bound) {
      out.putCount(activity.slot);
      out.putText(activity.boundTo);
    }
  }

  private void putSlots() {
    int[] free = instance.freeSlots();
    out.putCount(instance.usedSlots());
    out.putCount(free.length);
    for (int slot : free) {
      out.putCount(slot);
    }
  }

  /** Writes the ready activities in order: slots from 1, and 0 for cancelled ones. */
  private void putReady() {
    out.putCount(instance.ready.size());
    for (Activity activity : instance.ready) {
      out.putCount(activity.cancelled ? 0 : activity.slot + 1);
      if (!activity.cancelled) {
        readySlots.set(activity.slot);
      }
    }
  }

  /** Writes parents before children, younger siblings before older ones. */
  private void putActivities(Activity root) {
    out.putCount(instance.activities());
    Deque<Activity> left = new ArrayDeque<>();
    left.push(root);
    for (Activity activity = left.poll(); activity != null; activity = left.poll()) {
      put(activity);
      for (Activity child = activity.firstChild; child != null; child = child.nextSibling) {
        left.push(child);
      }
    }
  }

  private void put(Activity activity) {
    out.putCount(activity.parent == null ? 0 : activity.parent.slot + 1);
    out.putCount(activity.slot);
    out.putNumber(activity.node.attributes().id());
    out.putCount(TaskIndex.hash(activity.node));
    putBranch(activity.branch);
    putSince(activity.startedAtEpochMillis);
    putSince(activity.phaseEpochMillis());
    values.put(activity.activityPhase);
    out.putNumber(activity.next);
    out.putCount(activity.awaiting);
    out.putCount(activity.evaluating);
    out.putCount(activity.deliveries);
    out.putCount(activity.cursor);
    out.putCount(activity.open);
    out.putNumber(activity.heldBytes);
    values.put(activity.rawInput);
    values.put(activity.input);
    values.put(activity.output);
    values.putOptional(activity.rawOutput);
    values.put(activity.items);
    values.put(Arrays.asList(activity.results));
    putBranches(activity.branches);
    putTimers(activity);
    putAttempts(activity.tryState);
    putAnswers(activity);
  }

  private void putSince(long epochMillis) {
    out.putNumber(epochMillis - instance.startedAtEpochMillis);
  }

  private void putBranches(Branch[] owned) {
    out.putCount(owned.length);
    for (Branch branch : owned) {
      putBranch(branch);
    }
  }

  /** Writes the number of a branch; the first time, with its content. */
  private void putBranch(Branch branch) {
    Integer known = branches.putIfAbsent(branch, branches.size());
    out.putCount(known == null ? branches.size() - 1 : known);
    if (known == null) {
      out.putNumber(branch.index);
      values.put(branch.item());
      values.put(branch.context());
      out.putFlag(branch.hasExported());
      out.putNumber(branch.heldValue);
      out.putNumber(branch.heldContext);
    }
  }

  private void putTimers(Activity activity) {
    for (int kind = 0; kind < Activity.timerKinds(); kind++) {
      out.putCount(activity.armed(kind));
      if (activity.armed(kind) != 0) {
        out.putNumber(deadlineNanos(activity, kind) - instance.eventNanos);
      }
    }
  }

  private static long deadlineNanos(Activity activity, int kind) {
    TimerWheel.Timer timer = activity.timer(kind);
    if (timer == null) {
      throw new IllegalStateException(
          "expected timer " + kind + " of " + activity.instance.id + " to be set, found none");
    }
    return timer.deadlineNanos;
  }

  private void putAttempts(@Nullable TryState tryState) {
    out.putFlag(tryState != null);
    if (tryState != null) {
      putSince(tryState.firstStartedAtEpochMillis());
      values.put(tryState.mode());
      out.putCount(tryState.retries());
      values.putOptional(tryState.error());
    }
  }

  /** Writes which questions of the phase were answered elsewhere, if the phase will run again. */
  private void putAnswers(Activity activity) {
    if (activity.evaluating != 0 || readySlots.get(activity.slot)) {
      for (EvaluationMemo memo = activity.memos(); memo != null; memo = memo.older()) {
        out.putCount(memo.question());
        values.putOptional(memo.error());
      }
    }
    out.putCount(0);
  }
}
