package dev.pinion.core.snapshot;

import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import dev.pinion.core.stage.Wakeup;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The stage that writes snapshots, parallel to the one that writes records.
 *
 * <pre>
 *   journal ──begin──▶ kernels are asked ──entries──▶ written, forced, renamed ──finished──▶ journal adopts
 * </pre>
 *
 * <p>Waits for the disk in its duty cycle; it has a separate event loop. A failure ends one
 * snapshot and nothing else.
 */
final class SnapshotStage implements Stage {
  private static final int LANE_CAPACITY = 1_024;
  private static final int ENTRIES_PER_CYCLE = 256;

  private final Lane<SnapshotJob.QueuedEntry> lane = new Lane<>("snapshot", LANE_CAPACITY);
  private final Supplier<SnapshotEntry> opening;
  private final LongSupplier durable;
  private final SnapshotKernels snapshotKernels;
  private final SnapshotListener snapshotListener;
  private final Consumer<SnapshotJob.QueuedEntry> onArrival = this::onArrival;
  private volatile @Nullable SnapshotJob begun;
  private @Nullable SnapshotJob job;

  /** The kernels whose state is written. */
  interface SnapshotKernels {
    /** Asks every kernel for its part. */
    void request(SnapshotJob job);

    /** Notifies the kernels of room for more entries. */
    void wake();
  }

  /** Receives the outcome of snapshots, on the stage's thread. */
  interface SnapshotListener {
    /** A snapshot is complete. */
    void finished(SnapshotJob job);

    /** A snapshot has failed. */
    void failed(Exception reason);

    /** A snapshot was abandoned on request. */
    void givenUp();
  }

  /**
   * A stage.
   *
   * @param opening makes the first entry
   * @param durable the last position of the log that is durable
   */
  SnapshotStage(
      Supplier<SnapshotEntry> opening,
      LongSupplier durable,
      SnapshotKernels snapshotKernels,
      SnapshotListener snapshotListener) {
    this.opening = opening;
    this.durable = durable;
    this.snapshotKernels = snapshotKernels;
    this.snapshotListener = snapshotListener;
  }

  /** The lane of entries. */
  Lane<SnapshotJob.QueuedEntry> lane() {
    return lane;
  }

  /** Begins a snapshot when none is under way. Any thread, which wakes the stage by the wake-up. */
  void begin(SnapshotJob next, Wakeup wakeup) {
    begun = next;
    wakeup.signal();
  }

  @Override
  public String role() {
    return "snapshot";
  }

  @Override
  public int doWork(long nowNanos, long epochMillis) {
    int work = 0;
    SnapshotJob next = begun;
    if (next != null) {
      begun = null;
      begin(next);
      work++;
    }
    int drained = lane.drain(onArrival, ENTRIES_PER_CYCLE);
    if (drained > 0) {
      snapshotKernels.wake();
    }
    return work + drained + settle();
  }

  @Override
  public boolean hasWork() {
    SnapshotJob current = job;
    return begun != null || !lane.isEmpty() || (current != null && current.failure() != null);
  }

  private void begin(SnapshotJob next) {
    job = next;
    try {
      next.write(opening.get());
      snapshotKernels.request(next);
    } catch (IOException | RuntimeException e) {
      fail(next, e);
    }
  }

  private void onArrival(SnapshotJob.QueuedEntry queuedEntry) {
    queuedEntry.job().dequeued(queuedEntry.entry());
    if (queuedEntry.job() == job) {
      try {
        queuedEntry.job().write(queuedEntry.entry());
      } catch (IOException | RuntimeException e) {
        fail(queuedEntry.job(), e);
      }
    }
  }

  /** Ends a snapshot that is complete or has failed; returns whether it did. */
  private int settle() {
    SnapshotJob current = job;
    if (current == null) {
      return 0;
    }
    RuntimeException failure = current.failure();
    if (failure != null) {
      fail(current, failure);
      return 1;
    }
    return current.isComplete() ? finish(current) : 0;
  }

  private int finish(SnapshotJob current) {
    try {
      current.finish(durable.getAsLong());
      job = null;
      snapshotListener.finished(current);
    } catch (IOException | RuntimeException e) {
      fail(current, e);
    }
    return 1;
  }

  private void fail(SnapshotJob failed, Exception reason) {
    job = null;
    try {
      failed.abandon();
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
    snapshotListener.failed(reason);
  }

  /** Abandons the snapshot under way, if there is one. Stage's thread. */
  void giveUp() throws IOException {
    SnapshotJob current = job == null ? begun : job;
    job = null;
    begun = null;
    if (current != null) {
      snapshotListener.givenUp();
      current.abandon();
    }
  }

  /** Abandons the snapshot under way. */
  @Override
  public void onClose() {
    SnapshotJob current = job == null ? begun : job;
    if (current != null) {
      fail(current, new IOException("the engine is closed"));
    }
  }
}
