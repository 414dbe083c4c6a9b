package dev.pinion.core.stage;

import java.util.function.Consumer;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue between stages: any number of writers, one reading stage.
 *
 * <p>Messages of one writer arrive in the order they were offered. An offer never waits: it
 * succeeds or reports that the lane is full, and the writer decides what to do. The lane of a stage
 * is created first and its wake-up attached when the stage is given a thread.
 *
 * @param <T> type of the messages
 */
public final class Lane<T> {
  private final String name;
  private final int capacity;
  private final MpscVarHandleArrayQueue<T> queue;
  private volatile Wakeup reader = Wakeup.NONE;
  private final LaneCounters counters = new LaneCounters();

  /**
   * A lane.
   *
   * @param name name for counters and errors
   * @param capacity the least number of messages it holds, at least 2; rounded up to a power of two
   */
  public Lane(String name, int capacity) {
    if (capacity < 2) {
      throw new IllegalArgumentException(
          "expected a capacity of at least 2 for lane " + name + ", found " + capacity);
    }
    this.name = name;
    this.queue = new MpscVarHandleArrayQueue<>(capacity);
    this.capacity = queue.capacity();
  }

  /** Sets the wake-up that each offer signals. Call before the lane is used. */
  public void attach(Wakeup wakeup) {
    this.reader = wakeup;
  }

  /**
   * Offers a message and wakes the reader. Any thread.
   *
   * @return whether there was room
   */
  public boolean offer(T message) {
    if (!queue.offer(message)) {
      counters.onRefused();
      return false;
    }
    reader.signal();
    return true;
  }

  /**
   * Takes up to a number of messages, oldest first. Reader only. A message whose consumer throws is
   * removed too.
   *
   * @return how many were taken
   */
  public int drain(Consumer<T> consumer, int limit) {
    int taken = 0;
    try {
      while (taken < limit) {
        T message = queue.relaxedPoll();
        if (message == null) {
          break;
        }
        taken++;
        consumer.accept(message);
      }
    } finally {
      counters.onTaken(taken);
    }
    return taken;
  }

  /** Takes the oldest message, or null when there is none. Reader only. */
  public @Nullable T poll() {
    T message = queue.relaxedPoll();
    if (message != null) {
      counters.onTaken(1);
    }
    return message;
  }

  /** Whether there is nothing to take. */
  public boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Messages waiting; a snapshot. */
  public int size() {
    return queue.size();
  }

  /** Messages the lane holds when full. */
  public int capacity() {
    return capacity;
  }

  /** Name for counters and errors. */
  public String name() {
    return name;
  }

  /** Counters of taken and refused messages. */
  public LaneCounters counters() {
    return counters;
  }
}
