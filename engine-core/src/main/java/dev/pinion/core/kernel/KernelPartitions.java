package dev.pinion.core.kernel;

import dev.pinion.core.journal.Journal;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.listen.EventIntake;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.message.Event;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Departures and arrivals of partitions while the kernel works, a slice in each duty cycle. Kernel
 * thread only, except where stated.
 *
 * <pre>
 *   here ──departure──▶ away, instances are dropped ─▶ gone
 *   arrival ─▶ instances are restored ──▶ here
 * </pre>
 */
final class KernelPartitions {
  /** Instances dropped in one duty cycle. */
  static final int DROPPED_PER_CYCLE = 1_000;

  /** Entries restored in one duty cycle; a state of several parts is not divided. */
  static final int LOADED_PER_CYCLE = 250;

  private final Instances instances;
  private final OrderedStarts ordered;
  private final EffectRouter router;
  private final MemoryAccount memoryAccount;
  private final Journal journal;
  private final InstanceQueries instanceQueries;
  private final EventIntake events;
  private final Supplier<KernelState> state;

  private volatile @Nullable PartitionRelease requestedRelease;
  private volatile @Nullable PartitionAcquisition requestedAcquisition;
  private @Nullable PartitionDrain partitionDrain;
  private @Nullable PartitionAcquisition arriving;

  /**
   * No moves, and all partitions here.
   *
   * @param state the parts that an arrival restores
   */
  KernelPartitions(
      Instances instances,
      OrderedStarts ordered,
      EffectRouter router,
      MemoryAccount memoryAccount,
      Journal journal,
      InstanceQueries instanceQueries,
      EventIntake events,
      Supplier<KernelState> state) {
    this.instances = instances;
    this.ordered = ordered;
    this.router = router;
    this.memoryAccount = memoryAccount;
    this.journal = journal;
    this.instanceQueries = instanceQueries;
    this.events = events;
    this.state = state;
  }

  /** Requests a departure. Any thread. */
  void request(PartitionRelease partitionRelease) {
    requestedRelease = partitionRelease;
  }

  /** Requests an arrival. Any thread. */
  void request(PartitionAcquisition partitionAcquisition) {
    requestedAcquisition = partitionAcquisition;
  }

  /** Whether partitions arrive, so that not all of their instances are here yet. */
  boolean isArriving() {
    return arriving != null;
  }

  boolean hasWork() {
    PartitionDrain current = partitionDrain;
    return requestedRelease != null
        || requestedAcquisition != null
        || arriving != null
        || (current != null && current.hasWork());
  }

  /** Handles the end of a call, perhaps one that was aborted because its instance leaves. */
  void onCallEnded(Event.CallCompleted done) {
    if (partitionDrain != null) {
      partitionDrain.onCallEnded(done);
    }
  }

  int work(long nowNanos) {
    return leave() + arrive(nowNanos);
  }

  private int leave() {
    PartitionRelease wanted = requestedRelease;
    if (wanted != null) {
      requestedRelease = null;
      instances.release(wanted.partitions());
      events.release(wanted.partitions());
      partitionDrain =
          new PartitionDrain(wanted, instances, router, memoryAccount, journal, instanceQueries);
    }
    PartitionDrain current = partitionDrain;
    if (current == null || !current.hasWork()) {
      return 0;
    }
    int work = 1 + current.work(DROPPED_PER_CYCLE);
    if (current.isComplete()) {
      partitionDrain = null;
      instances.forget(current.release().partitions());
      router.children().forget(current.release().partitions());
      ordered.free(current.release().partitions());
      current.release().completed();
    }
    return work;
  }

  private int arrive(long nowNanos) {
    PartitionAcquisition wanted = requestedAcquisition;
    if (wanted != null) {
      requestedAcquisition = null;
      arriving = wanted;
    }
    PartitionAcquisition current = arriving;
    if (current == null) {
      return 0;
    }
    try {
      load(current, nowNanos);
    } catch (RecoveryException e) {
      arriving = null;
      current.failed(e);
    }
    if (arriving != null && current.isLoaded()) {
      arriving = null;
      instances.acquire(current.partitions());
      events.acquire(current.partitions());
      current.completed();
    }
    return 1;
  }

  /**
   * Restores a slice of the entries: the kernel is in replay for as long as this takes, and
   * continues from there.
   */
  private void load(PartitionAcquisition current, long nowNanos) throws RecoveryException {
    EntryRestorer taking = current.restorer(state.get());
    SnapshotEntry entry = current.poll();
    for (int taken = 1; entry != null; taken++) {
      boolean _ = taking.restoreEntry(entry.partition(), entry.kind(), entry.bytes(), 0);
      boolean more = taken < LOADED_PER_CYCLE || taking.isInPartialState();
      entry = more ? current.poll() : null;
    }
    taking.finish(nowNanos);
  }

  /** Restores everything at once. Before the first duty cycle. */
  void acquireNow(PartitionAcquisition partitionAcquisition, long nowNanos) {
    arriving = partitionAcquisition;
    while (arriving != null) {
      arrive(nowNanos);
    }
  }
}
