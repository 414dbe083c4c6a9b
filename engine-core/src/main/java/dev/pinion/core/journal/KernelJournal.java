package dev.pinion.core.journal;

import dev.pinion.core.message.Event;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Wakeup;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One kernel's connection to the {@link JournalWriter}.
 *
 * <pre>
 *   Kernel ──records──▶ lane ──▶ JournalWriter ──▶ disk
 *      ▲──────── durable count, wake-up ◀──┘
 * </pre>
 *
 * <p>Written by the kernel's thread, except for the count of durable records, which the writer
 * sets. When the lane is full, records wait here, as many as there are events of instances already
 * started: the kernel starts no more instances until there is room again.
 */
public final class KernelJournal implements Journal {
  private final Lane<Appended> lane;
  private final BooleanSupplier hasDiskSpace;
  private final BooleanSupplier isFarAhead;
  private final HeapAccount heap;
  private final Deque<Appended> unsent = new ArrayDeque<>();
  private volatile Wakeup kernel = Wakeup.NONE;
  private volatile long durable;
  private long appended;

  /**
   * A record on its way to the writer.
   *
   * @param source its journal
   * @param record the record
   */
  public record Appended(KernelJournal source, JournalRecord record) {}

  /**
   * A journal that writes to a lane.
   *
   * @param hasDiskSpace whether the disk has room for more than the running instances
   * @param isFarAhead whether a reader that follows the journal is too far behind
   * @param heap account of large values on their way to the disk
   */
  public KernelJournal(
      Lane<Appended> lane,
      BooleanSupplier hasDiskSpace,
      BooleanSupplier isFarAhead,
      HeapAccount heap) {
    this.isFarAhead = isFarAhead;
    this.heap = heap;
    this.lane = lane;
    this.hasDiskSpace = hasDiskSpace;
  }

  /** Sets the wake-up for newly durable records. Call before the journal is used. */
  public void setWakeup(Wakeup wakeup) {
    this.kernel = wakeup;
  }

  @Override
  public long append(JournalRecord record) {
    Appended message = new Appended(this, record);
    Payload value = value(record);
    if (value != null) {
      heap.beginTransfer(value);
    }
    if (!unsent.isEmpty() || !lane.offer(message)) {
      unsent.add(message);
    }
    return ++appended;
  }

  /** Records that a record has left the lane. The writer's thread only. */
  void onDequeued(JournalRecord record) {
    Payload value = value(record);
    if (value != null) {
      heap.endTransfer(value);
    }
  }

  /** The value that makes a record large, if it has one. */
  private static @Nullable Payload value(JournalRecord record) {
    return switch (record.event()) {
      case Event.Started start -> start.input();
      case Event.EventReceived received -> received.event();
      case Event.CallCompleted done when done.outcome() instanceof CallOutcome.Succeeded it ->
          it.output();
      default -> null;
    };
  }

  @Override
  public long appended() {
    return appended;
  }

  @Override
  public long durable() {
    return durable;
  }

  /** The appended records: the lock of the local log excludes other writers. */
  @Override
  public long readBarrier() {
    return appended;
  }

  @Override
  public @Nullable Rejection refusal() {
    if (!hasDiskSpace.getAsBoolean()) {
      return Rejection.DISK_FULL;
    }
    if (isFarAhead.getAsBoolean()) {
      return Rejection.UNREAD;
    }
    return !unsent.isEmpty() || isBehind(lane) ? Rejection.BEHIND : null;
  }

  /** Whether a lane to the writer is so full that starts wait. Any thread. */
  public static boolean isBehind(Lane<Appended> lane) {
    return lane.size() >= lane.capacity() / 2;
  }

  @Override
  public int flush() {
    int sent = 0;
    for (Appended next = unsent.peek(); next != null && lane.offer(next); next = unsent.peek()) {
      unsent.remove();
      sent++;
    }
    return sent;
  }

  /** Makes sure that the kernel runs another duty cycle. Any thread. */
  public void wakeKernel() {
    kernel.signal();
  }

  /** Adds to the number of durable records of this kernel. Called by the writer's thread only. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writing thread
  void forced(int records) {
    durable += records;
    kernel.signal();
  }
}
