package dev.pinion.core.kernel;

import dev.pinion.core.model.InstanceState;
import java.util.concurrent.atomic.AtomicLong;

/** Counters of a kernel. Written by its thread, read by any. */
public final class KernelCounters {
  private final AtomicLong started = new AtomicLong();
  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong faulted = new AtomicLong();
  private final AtomicLong cancelled = new AtomicLong();
  private final AtomicLong left = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong stale = new AtomicLong();
  private final AtomicLong handedOver = new AtomicLong();
  private final AtomicLong snapshotBytes = new AtomicLong();

  private volatile int unfinished;
  private volatile boolean startKeysFull;
  private volatile long waitingStartBytes;

  KernelCounters() {}

  private static void add(AtomicLong counter) {
    counter.lazySet(counter.getPlain() + 1);
  }

  void onStarted() {
    add(started);
  }

  void onReleased() {
    add(left);
  }

  void onRefused() {
    add(refused);
  }

  public void onStale() {
    add(stale);
  }

  void onOffloaded() {
    add(handedOver);
  }

  void onEnded(InstanceState state) {
    switch (state) {
      case COMPLETED -> add(completed);
      case FAULTED -> add(faulted);
      default -> add(cancelled);
    }
  }

  /** Sets how much would be lost, or have to be made again, if the engine ended now. */
  void unfinished(int now) {
    if (unfinished != now) {
      unfinished = now;
    }
  }

  /**
   * Running instances that live in memory only, and calls in progress: an engine waits for them
   * before it stops.
   */
  public int unfinished() {
    return unfinished;
  }

  /** Sets whether the table of start keys is full. */
  void startKeysFull(boolean now) {
    if (startKeysFull != now) {
      startKeysFull = now;
    }
  }

  /** Whether a start with a new key is refused ({@code kernel.maxStartKeys}). */
  public boolean areStartKeysFull() {
    return startKeysFull;
  }

  /** Sets the heap bytes of starts that wait for others. */
  void waitingStartBytes(long now) {
    if (waitingStartBytes != now) {
      waitingStartBytes = now;
    }
  }

  /** Heap bytes of starts that wait for others with their ordering key. */
  public long waitingStartBytes() {
    return waitingStartBytes;
  }

  /** Sets the size that the values of all instances would have in a snapshot. */
  void snapshotBytes(long now) {
    snapshotBytes.lazySet(now); // it changes in nearly every turn
  }

  /** Approximate bytes of the values of running and ended instances in a snapshot. */
  public long snapshotBytes() {
    return snapshotBytes.get();
  }

  /** Instances started or taken up. */
  public long started() {
    return started.get();
  }

  /** Running instances. */
  public long running() {
    return started() - completed() - faulted() - cancelled() - left.get();
  }

  /** Instances completed. */
  public long completed() {
    return completed.get();
  }

  /** Instances faulted. */
  public long faulted() {
    return faulted.get();
  }

  /** Instances cancelled. */
  public long cancelled() {
    return cancelled.get();
  }

  /** Starts refused. */
  public long refused() {
    return refused.get();
  }

  /** Completions and timers that came too late to have an effect. */
  public long stale() {
    return stale.get();
  }

  /** Evaluations handed to another thread. */
  public long handedOver() {
    return handedOver.get();
  }
}
