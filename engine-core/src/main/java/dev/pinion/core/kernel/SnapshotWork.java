package dev.pinion.core.kernel;

import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.listen.RecordedMatches;
import dev.pinion.core.kernel.step.ValuePacking;
import dev.pinion.core.kernel.table.Instances;
import org.jspecify.annotations.Nullable;

/** The kernel's part of snapshots, written a slice in each duty cycle, one snapshot at a time. */
final class SnapshotWork {
  private final Instances instances;
  private final ChildQueue children;
  private final RecordedMatches consumed;
  private final ValuePacking valuePacking;
  private final Journal journal;
  private volatile @Nullable SnapshotSink requested;
  private @Nullable SnapshotPass pass;

  SnapshotWork(
      Instances instances,
      ChildQueue children,
      RecordedMatches consumed,
      ValuePacking valuePacking,
      Journal journal) {
    this.instances = instances;
    this.children = children;
    this.consumed = consumed;
    this.valuePacking = valuePacking;
    this.journal = journal;
  }

  /** Requests a snapshot, and abandons an earlier one. Any thread. */
  void request(SnapshotSink sink) {
    requested = sink;
  }

  boolean hasWork() {
    return requested != null || (pass != null && pass.hasWork());
  }

  /**
   * Writes a part of the snapshot, if one is requested.
   *
   * @param steps budget in steps of expressions
   * @return the amount of work, 0 or 1
   */
  int work(long steps) {
    SnapshotSink wanted = requested;
    if (wanted != null) {
      requested = null;
      pass = begin(wanted);
    }
    SnapshotPass current = pass;
    if (current == null || !current.hasWork()) {
      return 0;
    }
    current.work(steps);
    if (current.isOver()) {
      pass = null;
    }
    return 1;
  }

  /**
   * Writes a whole snapshot at once. The kernel has stopped, all its records are durable, and the
   * sink accepts everything.
   */
  void writeNow(SnapshotSink sink) {
    SnapshotPass whole = begin(sink);
    while (!whole.isOver()) {
      if (whole.work(Long.MAX_VALUE) == 0 && !whole.isOver()) {
        throw new IllegalStateException("expected a sink that accepts all, found a full one");
      }
    }
  }

  private SnapshotPass begin(SnapshotSink sink) {
    return new SnapshotPass(sink, instances, children, consumed, valuePacking, journal);
  }
}
