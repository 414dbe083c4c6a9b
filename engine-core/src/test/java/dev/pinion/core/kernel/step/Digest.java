package dev.pinion.core.kernel.step;

import dev.pinion.core.kernel.step.attempt.TryState;
import dev.pinion.core.kernel.step.compensation.Compensations;
import dev.pinion.core.kernel.step.compensation.CompletedTask;
import dev.pinion.core.kernel.step.compensation.PendingEnd;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Text of the whole state of an instance, for comparisons. */
public final class Digest {
  private final StringBuilder text = new StringBuilder();

  private Digest() {}

  public static String of(Instance instance) {
    Digest digest = new Digest();
    digest
        .add(instance.state())
        .add(instance.steps)
        .add(instance.events)
        .add(instance.advances)
        .add(instance.heldBytes())
        .add(instance.activities())
        .add(instance.nowEpochMillis);
    for (Activity ready : instance.ready) {
      digest.add(ready.cancelled ? "cancelled" : ready.slot);
    }
    if (instance.root != null) {
      digest.add(instance.root, "\n");
    }
    if (instance.compensations != null) {
      digest.add(instance.compensations);
    }
    return digest.text.toString();
  }

  private void add(Compensations compensations) {
    text.append('\n');
    add(compensations.counts());
    compensations.failures().forEach(this::add);
    for (CompletedTask task : compensations.tasks()) {
      add(task.number()).add(task.task().attributes().pointer()).add(task.isBegun());
      add(task.heldBytes()).add(task.values());
    }
    PendingEnd end = compensations.pendingEnd();
    if (end != null) {
      add(end.outcome()).add(end.error()).add(end.stepsBefore()).add(end.eventsBefore());
    }
  }

  private void add(Activity activity, String indent) {
    text.append(indent);
    add(activity.node.attributes().pointer())
        .add(activity.activityPhase)
        .add(activity.slot)
        .add(activity.awaiting)
        .add(activity.evaluating)
        .add(activity.earlierAttempts)
        .add(activity.generation)
        .add(activity.undone)
        .add(activity.reserves)
        .add(activity.unwinding == null ? null : activity.unwinding.hasFailed())
        .add(activity.compensated == null ? null : activity.compensated.number())
        .add(Arrays.toString(activity.runs))
        .add(activity.cursor)
        .add(activity.open)
        .add(activity.heldBytes)
        .add(activity.next)
        .add(activity.rawInput)
        .add(activity.input)
        .add(activity.rawOutput)
        .add(activity.branch.context())
        .add(activity.branch.heldValue)
        .add(activity.branch.heldContext);
    for (int kind = 0; kind < Activity.timerKinds(); kind++) {
      add(activity.armed(kind));
    }
    TryState tryState = activity.tryState;
    if (tryState != null) {
      add(tryState.mode()).add(tryState.retries()).add(tryState.error());
      add(Arrays.toString(tryState.calls().entries()));
    }
    ListenState listening = activity.listening;
    if (listening != null) {
      add(listening.number).add(listening.mode).add(listening.closed).add(listening.scheduled);
      add(listening.outputs()).add(listening.queued()).add(listening.item);
      add(listening.correlated()).add(listening.weight);
      for (int filter = 0; filter < listening.filters(); filter++) {
        add(listening.key(filter)).add(listening.isDone(filter));
      }
    }
    if (activity.matches != null) {
      add(activity.matches.toPayload());
    }
    for (Activity child = activity.firstChild; child != null; child = child.nextSibling) {
      add(child, indent + " ");
    }
  }

  private Digest add(@Nullable Object value) {
    text.append(value).append(' ');
    return this;
  }
}
