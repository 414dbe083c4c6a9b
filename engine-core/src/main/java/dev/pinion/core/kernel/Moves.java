package dev.pinion.core.kernel;

import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.message.KernelEvent;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.function.Function;
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
final class Moves {
  /** Instances dropped in one duty cycle. */
  static final int DROPPED_PER_CYCLE = 1_000;

  /** Entries restored in one duty cycle; a state of several parts is not divided. */
  static final int TAKEN_UP_PER_CYCLE = 250;

  private final Function<Departure, Dropping> begin;
  private final Consumer<BitSet> forget;
  private final Supplier<Recovery> recovery;

  /** Partitions that this kernel does not serve. */
  private final BitSet away = new BitSet();

  private volatile @Nullable Departure departureWanted;
  private volatile @Nullable Arrival arrivalWanted;
  private @Nullable Dropping dropping;
  private @Nullable Arrival arriving;

  /**
   * No moves, and all partitions here.
   *
   * @param begin begins a departure
   * @param forget forgets the data of partitions beside their running instances
   * @param recovery recovery that restores entries
   */
  Moves(Function<Departure, Dropping> begin, Consumer<BitSet> forget, Supplier<Recovery> recovery) {
    this.begin = begin;
    this.forget = forget;
    this.recovery = recovery;
  }

  /** Whether a partition is not served here. */
  boolean isAway(int partition) {
    return away.get(partition);
  }

  /** Excludes partitions, of which nothing is here. Before the first duty cycle. */
  void withhold(BitSet partitions) {
    away.or(partitions);
  }

  /** Requests a departure. Any thread. */
  void want(Departure departure) {
    departureWanted = departure;
  }

  /** Requests an arrival. Any thread. */
  void want(Arrival arrival) {
    arrivalWanted = arrival;
  }

  boolean hasWork() {
    Dropping current = dropping;
    return departureWanted != null
        || arrivalWanted != null
        || arriving != null
        || (current != null && current.hasWork());
  }

  /** Handles the end of a call, perhaps one that was aborted because its instance leaves. */
  void reported(KernelEvent.InvocationDone done) {
    if (dropping != null) {
      dropping.reported(done);
    }
  }

  int work(long nowNanos) {
    return leave() + arrive(nowNanos);
  }

  private int leave() {
    Departure wanted = departureWanted;
    if (wanted != null) {
      departureWanted = null;
      away.or(wanted.partitions());
      dropping = begin.apply(wanted);
    }
    Dropping current = dropping;
    if (current == null || !current.hasWork()) {
      return 0;
    }
    int work = 1 + current.work(DROPPED_PER_CYCLE);
    if (current.isGone()) {
      dropping = null;
      forget.accept(current.departure().partitions());
      current.departure().gone();
    }
    return work;
  }

  private int arrive(long nowNanos) {
    Arrival wanted = arrivalWanted;
    if (wanted != null) {
      arrivalWanted = null;
      arriving = wanted;
    }
    Arrival current = arriving;
    if (current == null) {
      return 0;
    }
    try {
      takeUp(current, nowNanos);
    } catch (RecoveryException e) {
      arriving = null;
      current.failed(e);
    }
    if (arriving != null && current.isTakenUp()) {
      arriving = null;
      away.andNot(current.partitions());
      current.settled();
    }
    return 1;
  }

  /**
   * Restores a slice of the entries: the kernel is in replay for as long as this takes, and
   * continues from there.
   */
  private void takeUp(Arrival current, long nowNanos) throws RecoveryException {
    Recovery taking = recovery.get();
    SnapshotEntry entry = current.poll();
    for (int taken = 1; entry != null; taken++) {
      taking.take(entry.partition(), entry.kind(), entry.bytes(), 0);
      boolean more = taken < TAKEN_UP_PER_CYCLE || taking.isWithinAState();
      entry = more ? current.poll() : null;
    }
    taking.finish(nowNanos);
  }

  /** Restores everything at once. Before the first duty cycle. */
  void takeUpNow(Arrival arrival, long nowNanos) {
    arriving = arrival;
    while (arriving != null) {
      arrive(nowNanos);
    }
  }
}
