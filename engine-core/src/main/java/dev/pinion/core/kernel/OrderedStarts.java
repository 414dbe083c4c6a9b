package dev.pinion.core.kernel;

import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.model.OrderingKey;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts that wait because an earlier one with the same ordering key has not begun yet. They are
 * neither recorded nor acknowledged, so they are not recovered. Kernel thread only.
 *
 * <pre>
 *   start ──▶ nobody in front ─────────────────────▶ accepted ──▶ begun
 *       └───▶ line of its key ──▶ the first begins ──▶ next
 * </pre>
 */
final class OrderedStarts {
  private final int most;
  private final Map<OrderingKey, Line> lines = new HashMap<>();

  /** Lines whose next start may be ready, and perhaps others. */
  private final Deque<Line> free = new ArrayDeque<>();

  private int waiting;
  private long heapBytes;

  /** Queue of the starts with one key. */
  private static final class Line {
    private final OrderingKey key;
    private final Deque<KernelEvent.Start> starts = new ArrayDeque<>();

    /** The accepted instance that has not begun; null when there is none. */
    private @Nullable Instance first;

    Line(OrderingKey key) {
      this.key = key;
    }

    boolean isHeld() {
      return first != null && !first.hasLeft && !first.hasBegun();
    }
  }

  /**
   * An empty set.
   *
   * @param most starts that may wait
   */
  OrderedStarts(int most) {
    this.most = most;
  }

  /** Whether other starts with this key come first. */
  boolean areBefore(OrderingKey key) {
    Line line = lines.get(key);
    return line != null && (line.isHeld() || !line.starts.isEmpty());
  }

  /** Whether no more starts may wait. */
  boolean isFull() {
    return waiting >= most;
  }

  private static long heapBytes(KernelEvent.Start start) {
    return start.input().heapBytes() + start.tags().heapBytes();
  }

  /** Heap bytes of the inputs and tags of waiting starts. */
  long heapBytes() {
    return heapBytes;
  }

  /** Adds a start to the queue of its key. */
  void add(OrderingKey key, KernelEvent.Start start) {
    lines.computeIfAbsent(key, Line::new).starts.add(start);
    waiting++;
    heapBytes += heapBytes(start);
  }

  /** Has later starts wait for an accepted instance that has not begun. */
  void hold(OrderingKey key, Instance instance) {
    lines.computeIfAbsent(key, Line::new).first = instance;
    instance.holdsOthers = true;
  }

  /** Releases the starts behind an instance that has begun or ended. */
  void release(OrderingKey key, Instance instance) {
    instance.holdsOthers = false;
    Line line = lines.get(key);
    if (line != null) {
      line.first = null;
      free.add(line);
    }
  }

  /** Releases all waiting starts of some partitions, which have moved away. */
  void free(BitSet partitions) {
    for (Line line : lines.values()) {
      if (partitions.get(line.key.partition())) {
        line.first = null;
        free.add(line);
      }
    }
  }

  /** Whether {@link #poll} has something to do. */
  boolean hasWork() {
    return !free.isEmpty();
  }

  /** Removes and returns the next start with nothing before it; null when there is none. */
  KernelEvent.@Nullable Start poll() {
    for (Line line = free.peek(); line != null; line = free.peek()) {
      KernelEvent.Start next = line.isHeld() ? null : line.starts.poll();
      if (next != null) {
        waiting--;
        heapBytes -= heapBytes(next);
        return next;
      }
      free.remove();
      if (!line.isHeld() && line.starts.isEmpty()) {
        lines.remove(line.key, line);
      }
    }
    return null;
  }
}
