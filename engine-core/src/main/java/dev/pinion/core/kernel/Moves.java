package dev.pinion.core.kernel;

import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.message.KernelEvent;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that leave one kernel or come to it while it works, a slice in each duty cycle. Kernel
 * thread only, but for what says otherwise.
 *
 * <pre>
 *   here ──departure──▶ away, instances are dropped ─▶ gone      arrival ─▶ instances are taken up ──▶ here
 * </pre>
 */
final class Moves {
  /** Instances dropped in one duty cycle. */
  static final int DROPPED_PER_CYCLE = 1_000;

  /** Entries taken up in one duty cycle, a state of several parts not divided. */
  static final int TAKEN_UP_PER_CYCLE = 250;

  private final Function<Departure, Dropping> begin;
  private final Consumer<BitSet> forget;
  private final Supplier<Recovery> recovery;

  /** Partitions that the kernel answers nothing about. */
  private final BitSet away = new BitSet();

  private volatile @Nullable Departure departureWanted;
  private volatile @Nullable Arrival arrivalWanted;
  private @Nullable Dropping dropping;
  private @Nullable Arrival arriving;

  /**
   * No moves yet, everything here.
   *
   * @param begin begins a departure
   * @param forget forgets what is kept of partitions beside their instances under way
   * @param recovery takes up entries
   */
  Moves(Function<Departure, Dropping> begin, Consumer<BitSet> forget, Supplier<Recovery> recovery) {
    this.begin = begin;
    this.forget = forget;
    this.recovery = recovery;
  }

  /** Whether a partition is not here. */
  boolean isAway(int partition) {
    return away.get(partition);
  }

  /** These partitions are not here, and nothing is of them. Before the first duty cycle. */
  void withhold(BitSet partitions) {
    away.or(partitions);
  }

  /** Any thread. */
  void want(Departure departure) {
    departureWanted = departure;
  }

  /** Any thread. */
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

  /** A call has ended, perhaps one that was aborted because its instance leaves. */
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

  /** The kernel replays for as long as this takes, and goes on from there. */
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

  /** Takes up everything at once. Before the first duty cycle. */
  void takeUpNow(Arrival arrival, long nowNanos) {
    arriving = arrival;
    while (arriving != null) {
      arrive(nowNanos);
    }
  }
}
