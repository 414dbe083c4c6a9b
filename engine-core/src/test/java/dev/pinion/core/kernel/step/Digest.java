package dev.pinion.core.kernel.step;

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
    return digest.text.toString();
  }

  private void add(Activity activity, String indent) {
    text.append(indent);
    add(activity.node.attributes().pointer())
        .add(activity.activityPhase)
        .add(activity.slot)
        .add(activity.awaiting)
        .add(activity.evaluating)
        .add(activity.earlierAttempts)
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
      add(tryState.tryMode).add(tryState.retries).add(tryState.error());
      add(Arrays.toString(tryState.calls.entries()));
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
    for (Activity child = activity.firstChild; child != null; child = child.nextSibling) {
      add(child, indent + " ");
    }
  }

  private Digest add(@Nullable Object value) {
    text.append(value).append(' ');
    return this;
  }
}
