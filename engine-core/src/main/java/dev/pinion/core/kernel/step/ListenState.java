package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.kernel.step.event.ConsumedPositions;
import dev.pinion.core.kernel.step.event.EventKeys;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** State of a task that listens. Only its kernel changes it. */
public final class ListenState {
  /** Work on the events that were received. */
  enum ListenMode {
    /** Waiting for an event, or about to take the next one. */
    LISTENING,
    /** Running the tasks for an event. */
    ITERATING,
    /** About to transform the output of these tasks. */
    ENDING,
    /** About to decide whether that was the last event. */
    CHECKING
  }

  /** Number under which it listens. */
  final int number;

  /** Values that each filter expects, by its number; null for filters that expect none. */
  private final @Nullable String[] keys;

  /** Positions of the events that it has consumed, or its instance had before it began. */
  final ConsumedPositions positions;

  ListenMode mode = ListenMode.LISTENING;

  /** Whether it consumes no more events. */
  boolean closed;

  /** Whether its activity is ready to take an event. */
  boolean scheduled;

  /** Weight of its values. */
  long weight;

  /** Reason why it cannot go on, or null. */
  @Nullable WorkflowError problem;

  /** The event whose tasks run, or null. */
  @Nullable Payload item;

  /** Output of these tasks, or null. */
  @Nullable Payload itemOutput;

  /** Filters that have their event; null for none. */
  private @Nullable BitSet done;

  /** Values of correlations that are fixed, by name; null for none. */
  private @Nullable Map<String, String> correlated;

  /** What it puts out so far; null for nothing. */
  private @Nullable List<Payload> outputs;

  /** Events that wait for their turn; null for none. */
  private @Nullable Deque<Payload> queue;

  ListenState(int number, @Nullable String[] keys, ConsumedPositions positions) {
    this.number = number;
    this.keys = keys;
    this.positions = positions;
  }

  /** Number under which it listens. */
  public int number() {
    return number;
  }

  /** The values that a filter expects, or null when it expects none. */
  public @Nullable String key(int filter) {
    return keys[filter];
  }

  /** Number of its filters. */
  public int filters() {
    return keys.length;
  }

  /** Whether a filter has its event. */
  public boolean isDone(int filter) {
    return done != null && done.get(filter);
  }

  /** Whether it consumes no more events. */
  public boolean isClosed() {
    return closed;
  }

  /** Position up to which every event counts as consumed. */
  public long consumedUpTo() {
    return positions.floor();
  }

  /** Whether the event at a position was consumed. */
  public boolean hasConsumed(long position) {
    return positions.includes(position);
  }

  /** The fixed value of a correlation, or null before an event fixes it. */
  public @Nullable String correlated(String name) {
    return correlated == null ? null : correlated.get(name);
  }

  /** Whether it has nothing to do before the next event. */
  boolean waits() {
    return mode == ListenMode.LISTENING && !closed && !scheduled;
  }

  void done(int filter) {
    if (done == null) {
      done = new BitSet();
    }
    done.set(filter);
  }

  void correlate(String name, String value) {
    if (correlated == null) {
      correlated = new TreeMap<>();
    }
    correlated.putIfAbsent(name, value);
  }

  Map<String, String> correlated() {
    return correlated == null ? Map.of() : correlated;
  }

  /**
   * The values of correlations by their names: those that events fixed, and those that were
   * expected.
   *
   * @param filters filters of the events that it consumes, by their numbers
   */
  Map<String, String> correlationKeys(List<EventFilter> filters) {
    Map<String, String> all = new TreeMap<>(correlated());
    for (int filter = 0; filter < filters.size(); filter++) {
      String joined = keys[filter];
      List<EventFilter.EventKey> expected = filters.get(filter).keys();
      List<String> values = joined == null ? List.of() : EventKeys.split(joined, expected.size());
      for (int i = 0; i < values.size(); i++) {
        String name = expected.get(i).correlation();
        if (name != null) {
          all.putIfAbsent(name, values.get(i));
        }
      }
    }
    return all;
  }

  List<Payload> outputs() {
    return outputs == null ? List.of() : outputs;
  }

  void addOutput(Payload output) {
    if (outputs == null) {
      outputs = new ArrayList<>(1);
    }
    outputs.add(output);
  }

  void enqueue(Payload event) {
    if (queue == null) {
      queue = new ArrayDeque<>(2);
    }
    queue.add(event);
  }

  /** Takes the event that has waited for longest; null for none. */
  @Nullable Payload poll() {
    return queue == null ? null : queue.poll();
  }

  /** Whether events wait for their turn. */
  boolean hasQueued() {
    return queue != null && !queue.isEmpty();
  }

  /** Events that wait for their turn, in order. */
  List<Payload> queued() {
    return queue == null ? List.of() : List.copyOf(queue);
  }

  void clearQueue() {
    queue = null;
  }

  /** Number of its values. */
  int size() {
    return outputs().size() + (queue == null ? 0 : queue.size()) + (item == null ? 0 : 1);
  }

  /** Replaces its values. */
  void replace(UnaryOperator<Payload> each) {
    if (outputs != null) {
      outputs.replaceAll(each);
    }
    if (queue != null) {
      Deque<Payload> replaced = new ArrayDeque<>(queue.size() + 1);
      queue.forEach(event -> replaced.add(each.apply(event)));
      queue = replaced;
    }
    item = item == null ? null : each.apply(item);
    itemOutput = itemOutput == null ? null : each.apply(itemOutput);
  }
}
