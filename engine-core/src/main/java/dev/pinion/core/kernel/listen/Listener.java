package dev.pinion.core.kernel.listen;

import dev.pinion.core.graph.EventConsumption;
import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.ListenState;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An activity that listens, in the index. */
final class Listener {
  /** Value of {@link #after} for an activity that was restored from its state. */
  static final long RESTORED = -1;

  /** Heap bytes of a listener with the state of its activity. */
  private static final int BYTES = 200;

  /** Heap bytes of a filter of it. */
  private static final int BYTES_OF_FILTER = 40;

  /** Heap bytes of the value that a filter expects, and its place in the index. */
  private static final int BYTES_OF_KEY = 150;

  final Activity activity;
  final ListenState state;
  final int partition;

  /** Position behind which events count, or {@link #RESTORED}. */
  final long after;

  /**
   * Time from which events count in that case, in milliseconds since the epoch. Those before it may
   * be kept for a task.
   */
  final long sinceMillis;

  /** Position of the last event of which it is decided whether it receives it. */
  long decided;

  /** Whether it is to be compared with events that are kept. */
  boolean looksBack;

  /** By filter; null for those that are closed. */
  final @Nullable FilterSubscription[] subscriptions;

  Listener(Activity activity, ListenState state, long after, long sinceMillis) {
    this.activity = activity;
    this.sinceMillis = sinceMillis;
    this.state = state;
    this.partition = activity.instance().id().partition();
    this.after = after;
    this.subscriptions = new FilterSubscription[state.filters()];
  }

  /** What it listens to. */
  Node.Listen task() {
    return Objects.requireNonNull(activity.node().listens(), "a task that listens");
  }

  /** Namespace of the events that it may receive. */
  String namespace() {
    return activity.instance().graph().key().namespace();
  }

  /** The open filters that go first: those of the end, then the others, in their order. */
  int filterAt(int precedence) {
    EventConsumption to = task().to();
    int first = to.filters().size();
    int ends = subscriptions.length - first;
    return precedence < ends ? first + precedence : precedence - ends;
  }

  /** Heap bytes of its entries in the index. */
  long heapBytes() {
    long bytes = BYTES;
    for (int filter = 0; filter < subscriptions.length; filter++) {
      String key = state.key(filter);
      bytes += BYTES_OF_FILTER + (key == null ? 0 : BYTES_OF_KEY + 2L * key.length());
    }
    return bytes;
  }
}
