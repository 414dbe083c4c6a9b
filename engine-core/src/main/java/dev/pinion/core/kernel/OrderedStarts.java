package dev.pinion.core.kernel;

import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.message.Command;
import dev.pinion.core.model.instance.OrderingKey;
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
  private final Map<OrderingKey, KeyQueue> lines = new HashMap<>();

  /** Lines whose next start may be ready, and perhaps others. */
  private final Deque<KeyQueue> free = new ArrayDeque<>();

  private int waiting;
  private long heapBytes;

  /** Queue of the starts with one key. */
  private static final class KeyQueue {
    private final OrderingKey key;
    private final Deque<Command.Start> starts = new ArrayDeque<>();

    /** The accepted instance that has not begun; null when there is none. */
    private @Nullable Instance first;

    KeyQueue(OrderingKey key) {
      this.key = key;
    }

    boolean isHeld() {
      return first != null && !first.released() && !first.hasBegun();
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
  boolean hasPredecessor(OrderingKey key) {
    KeyQueue keyQueue = lines.get(key);
    return keyQueue != null && (keyQueue.isHeld() || !keyQueue.starts.isEmpty());
  }

  /** Whether no more starts may wait. */
  boolean isFull() {
    return waiting >= most;
  }

  private static long heapBytes(Command.Start start) {
    return start.input().heapBytes() + start.tags().heapBytes();
  }

  /** Heap bytes of the inputs and tags of waiting starts. */
  long heapBytes() {
    return heapBytes;
  }

  /** Adds a start to the queue of its key. */
  void add(OrderingKey key, Command.Start start) {
    lines.computeIfAbsent(key, KeyQueue::new).starts.add(start);
    waiting++;
    heapBytes += heapBytes(start);
  }

  /** Has later starts wait for an accepted instance that has not begun. */
  void block(OrderingKey key, Instance instance) {
    lines.computeIfAbsent(key, KeyQueue::new).first = instance;
    instance.blocksLaterStarts(true);
  }

  /** Releases the starts behind an instance that has begun or ended. */
  void release(OrderingKey key, Instance instance) {
    instance.blocksLaterStarts(false);
    KeyQueue keyQueue = lines.get(key);
    if (keyQueue != null) {
      keyQueue.first = null;
      free.add(keyQueue);
    }
  }

  /** Releases all waiting starts of some partitions, which have moved away. */
  void free(BitSet partitions) {
    for (KeyQueue keyQueue : lines.values()) {
      if (partitions.get(keyQueue.key.partition())) {
        keyQueue.first = null;
        free.add(keyQueue);
      }
    }
  }

  /** Whether {@link #poll} has something to do. */
  boolean hasWork() {
    return !free.isEmpty();
  }

  /** Removes and returns the next start with nothing before it; null when there is none. */
  Command.@Nullable Start poll() {
    for (KeyQueue keyQueue = free.peek(); keyQueue != null; keyQueue = free.peek()) {
      Command.Start next = keyQueue.isHeld() ? null : keyQueue.starts.poll();
      if (next != null) {
        waiting--;
        heapBytes -= heapBytes(next);
        return next;
      }
      free.remove();
      if (!keyQueue.isHeld() && keyQueue.starts.isEmpty()) {
        lines.remove(keyQueue.key, keyQueue);
      }
    }
    return null;
  }
}
