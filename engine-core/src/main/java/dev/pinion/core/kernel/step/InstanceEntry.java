package dev.pinion.core.kernel.step;

import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * What the kernel notes about an instance in its table: its records, whether it waits for a turn,
 * and who waits for it.
 */
public abstract sealed class InstanceEntry extends ActivitySlots permits Instance {
  /** Number of records in the journal after the last one of this instance. */
  long journalled;

  /** Whether the instance is in the kernel's queue for another turn. */
  private boolean queued;

  /** Whether it continues elsewhere: this kernel does nothing more with it. */
  private boolean released;

  /** Whether starts with its ordering key wait until it has begun. */
  private boolean blocksLaterStarts;

  private boolean observed;

  /**
   * Monotonic time of the last event of a journalled instance: the origin of timers in a replay.
   */
  long eventNanos;

  private final List<ReplyAddress<? super Reply.EndReply>> waiters = new ArrayList<>(1);
  private final List<Query.WatchInstance> watches = new ArrayList<>(0);

  /** Records that an event of it is in the journal, before a number of further records. */
  public void recorded(long position) {
    journalled = position;
  }

  /** Sets the monotonic time of its last event. */
  public void eventAt(long nanos) {
    eventNanos = nanos;
  }

  /** Records whether it waits for another turn. */
  public void queued(boolean waits) {
    queued = waits;
  }

  /** Records that it continues elsewhere: this kernel does nothing more with it. */
  public void release() {
    released = true;
  }

  /** Records whether later starts with its ordering key wait for it. */
  public void blocksLaterStarts(boolean blocks) {
    blocksLaterStarts = blocks;
  }

  /** Records that the observer of calls knows of its start; returns whether it did not before. */
  public boolean observe() {
    boolean before = observed;
    observed = true;
    return !before;
  }

  /** Whether the observer of calls knows of its start, and must know of its end. */
  public boolean isObserved() {
    return observed;
  }

  /** Clients that wait for the end. */
  public List<ReplyAddress<? super Reply.EndReply>> waiters() {
    return waiters;
  }

  /** Clients that wait for a change. */
  public List<Query.WatchInstance> watches() {
    return watches;
  }

  /**
   * Monotonic time of the last event of a journalled instance: the origin of timers in a replay.
   */
  public long eventNanos() {
    return eventNanos;
  }

  /** Whether it continues elsewhere: this kernel does nothing more with it. */
  public boolean released() {
    return released;
  }

  /** Whether the instance is in the kernel's queue for another turn. */
  public boolean queued() {
    return queued;
  }

  /** Whether starts with its ordering key wait until it has begun. */
  public boolean blocksLaterStarts() {
    return blocksLaterStarts;
  }
}
