package dev.pinion.core.kernel.replay;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.ChildEntryCodec;
import dev.pinion.core.kernel.EffectRouter;
import dev.pinion.core.kernel.listen.ConsumedEventCodec;
import dev.pinion.core.kernel.observation.HistoryEventProducer;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.InstanceReader;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.kernel.table.FinishedInstance;
import dev.pinion.core.kernel.table.FinishedInstanceCodec;
import dev.pinion.core.kernel.table.StartKeyCodec;
import dev.pinion.core.kernel.table.StartKeyTable;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.InstanceId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Restores a kernel from the entries of a snapshot. */
final class SnapshotLoader {
  private final ReplayedInstances instances;
  private final EffectRouter router;
  private final ReplayEffectSink replayed;
  private final Exclusions exclusions;

  /** Whether the kernel only follows: it needs no keys of starts, which it would never forget. */
  private final boolean follows;

  /** Told of what is restored; null for none. */
  private final @Nullable HistoryEventProducer observed;

  /** Content of the snapshot, until the records behind it are reached; null without one. */
  private @Nullable SnapshotOverlap overlap;

  /** Incomplete states, by partition. */
  private final Map<Integer, byte[]> parts = new HashMap<>();

  SnapshotLoader(
      ReplayedInstances instances,
      EffectRouter router,
      ReplayEffectSink replayed,
      Exclusions exclusions,
      boolean follows,
      @Nullable HistoryEventProducer observed) {
    this.instances = instances;
    this.router = router;
    this.replayed = replayed;
    this.exclusions = exclusions;
    this.follows = follows;
    this.observed = observed;
  }

  /** Begins the entries of a snapshot, which may be ahead of the records behind it. */
  void begin() {
    overlap = new SnapshotOverlap();
  }

  /** Ends the snapshot: records that follow were written after it was finished. */
  void end() {
    overlap = null;
  }

  /**
   * Whether the snapshot already contains a record.
   *
   * @param instance its instance, or null when none is running
   */
  boolean covers(JournalRecord record, @Nullable Instance instance) {
    return overlap != null && overlap.covers(record, instance);
  }

  /**
   * Restores an entry of a snapshot.
   *
   * @param offsetNanos offset to add to its monotonic times
   * @return whether it was new; false when records contain it as well
   * @throws RecoveryException when no kernel wrote it
   */
  boolean restoreEntry(int partition, byte kind, byte[] bytes, long offsetNanos)
      throws RecoveryException {
    switch (kind) {
      case SnapshotEntry.PART -> parts.merge(partition, bytes, SnapshotLoader::joined);
      case SnapshotEntry.INSTANCE -> restore(whole(partition, bytes), offsetNanos);
      case SnapshotEntry.ENDED -> {
        return restoreEnded(whole(partition, bytes));
      }
      case SnapshotEntry.CHILD -> restoreChild(whole(partition, bytes));
      case SnapshotEntry.KEY -> restoreKey(bytes, offsetNanos);
      case SnapshotEntry.EVENTS -> restoreConsumed(bytes);
      case SnapshotEntry.KERNEL -> restoreGiven(new ByteReader(bytes));
      default ->
          throw new RecoveryException("expected an entry of a kind that is known, found " + kind);
    }
    return true;
  }

  /** Restores the last assigned id, and the first unless an older engine wrote it; 0 for none. */
  private void restoreGiven(ByteReader ids) {
    while (ids.hasMore()) {
      long id = ids.getLong();
      if (id > 0) {
        reserveId(new InstanceId(id));
      }
    }
  }

  /** Restores which events were consumed; who only follows gives none to anybody. */
  private void restoreConsumed(byte[] bytes) throws RecoveryException {
    try {
      if (!follows) {
        ConsumedEventCodec.read(bytes, router::consumedBefore);
      }
    } catch (IllegalArgumentException e) {
      throw new RecoveryException("consumed events in the snapshot: " + e.getMessage());
    }
  }

  private byte[] whole(int partition, byte[] last) {
    byte[] before = parts.remove(partition);
    return before == null ? last : joined(before, last);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** Whether parts of a state are missing. */
  boolean isInPartialState() {
    return !parts.isEmpty();
  }

  /** Reserves the last id of a snapshot: no later instance gets it or a lower one. */
  void reserveId(InstanceId id) {
    instances.all().reserve(id);
  }

  /**
   * Restores an instance that had ended when a snapshot was made.
   *
   * @return whether it was restored; false when the records contain its end as well
   * @throws RecoveryException when no kernel wrote the bytes
   */
  boolean restoreEnded(byte[] bytes) throws RecoveryException {
    FinishedInstance ended;
    try {
      ended = FinishedInstanceCodec.read(bytes);
    } catch (IllegalArgumentException e) {
      throw new RecoveryException("an ended instance in the snapshot: " + e.getMessage());
    }
    InstanceId id = ended.view.id();
    if (overlap != null) {
      overlap.hasEnded(id);
      if (overlap.holdsRunning(id)) { // it ended after it was written, and will end again
        return false;
      }
    }
    instances.all().restore(ended);
    if (observed != null) {
      observed.restored(ended.view);
    }
    return true;
  }

  /**
   * Restores an instance that was running when a snapshot was made.
   *
   * @param state state that the kernel wrote
   * @param offsetNanos offset to add to its monotonic times
   * @throws RecoveryException when the state does not fit its definition
   */
  void restore(byte[] state, long offsetNanos) throws RecoveryException {
    InstanceId id = null;
    try {
      InstanceReader.StateHeader stateHeader = InstanceReader.header(state);
      id = stateHeader.id();
      String reason = exclusions.reason(id);
      if (reason != null) {
        exclusions.add(stateHeader, reason);
        return;
      }
      InstanceReader.RestoredInstance restoredInstance = instances.read(state, offsetNanos);
      instances.open(restoredInstance, replayed);
      instances.children().restored(restoredInstance.instance());
      if (observed != null) {
        observed.restored(restoredInstance.instance());
      }
      if (overlap != null) {
        overlap.isRunning(restoredInstance.instance());
      }
      instances.rest(restoredInstance.instance());
    } catch (IllegalArgumentException | BudgetExceededException | ExpressionException e) {
      throw ReplayedInstances.misfit(id, "an instance in the snapshot", e);
    }
  }

  /**
   * Restores what was under way between a parent and its child.
   *
   * @throws RecoveryException when no kernel wrote the bytes
   */
  void restoreChild(byte[] bytes) throws RecoveryException {
    try {
      ChildEntryCodec.restore(bytes, instances.children());
    } catch (IllegalArgumentException e) {
      throw new RecoveryException("what goes to a child or its parent: " + e.getMessage());
    }
  }

  /**
   * Restores a key under which an instance was started.
   *
   * @param offsetNanos offset to add to its monotonic time
   * @throws RecoveryException when no kernel wrote the bytes
   */
  void restoreKey(byte[] bytes, long offsetNanos) throws RecoveryException {
    try {
      StartKeyTable.KeyEntry keyEntry = StartKeyCodec.read(bytes);
      if (!follows) {
        instances
            .all()
            .keys()
            .add(
                keyEntry.key(),
                keyEntry.id(),
                keyEntry.definition(),
                keyEntry.sinceNanos() + offsetNanos);
      }
    } catch (IllegalArgumentException e) {
      throw new RecoveryException("a key of a start in the snapshot: " + e.getMessage());
    }
  }
}
