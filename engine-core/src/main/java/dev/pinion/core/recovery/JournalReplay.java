package dev.pinion.core.recovery;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.journal.JournalHeader;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.journal.SnapshotHeader;
import dev.pinion.core.journal.TransferHeader;
import dev.pinion.core.journal.store.RecordVisitor;
import dev.pinion.core.kernel.replay.Recovery;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.partition.PartitionTable;
import dev.pinion.core.partition.ReplicaGroup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Passes the content of a journal to the recovery of the kernel that owns its partition: a
 * snapshot, and the records after it. State that was taken over from another journal is found among
 * the records, in the form of a snapshot.
 *
 * <p>An instance that cannot be recovered does not stop the others: the replay continues without
 * it, so that all failures are known at its end.
 */
public final class JournalReplay implements RecordVisitor {
  private final List<Recovery> recoveries;
  private final PartitionTable partitionTable;
  private final RecordCodec codec;
  private final EngineLimits limits;
  private final Clock clock;
  private final long nowNanos;
  private final long nowEpochMillis;

  /** Reasons why instances could not be recovered. */
  private final Map<InstanceId, String> failures = new LinkedHashMap<>();

  private final int[] epochs = new int[ReplicaGroup.PARTITIONS];
  private final int[] highest = new int[ReplicaGroup.PARTITIONS];
  private boolean sameScale;

  /** Offset from times of states to the scale of this process. */
  private long offsetNanos;

  /** The snapshot whose end has not been passed yet. */
  private @Nullable SnapshotHeader snapshot;

  /** Position up to which instances of the snapshot may be ahead of records; 0 when unknown. */
  private long snapshotEnd;

  private long entries;
  private long snapshotBytes;
  private long records;
  private long recordBytes;

  /**
   * A replay.
   *
   * @param recoveries the kernels, by index
   * @param partitionTable owners of partitions
   * @param limits the limits in force today, for those that an old journal does not record
   * @param quarantine instances that are skipped
   */
  public JournalReplay(
      List<Recovery> recoveries,
      PartitionTable partitionTable,
      PayloadCodec payloads,
      EngineLimits limits,
      Clock clock,
      Quarantine quarantine) {
    this.recoveries = recoveries;
    this.partitionTable = partitionTable;
    this.codec = new RecordCodec(payloads);
    this.limits = limits;
    this.clock = clock;
    this.nowNanos = clock.nanoTime();
    this.nowEpochMillis = clock.epochMillis();
    recoveries.forEach(recovery -> recovery.exclude(quarantine::reason, nowEpochMillis));
  }

  /** Failed instances, with reasons; when there are any, nothing may be run. */
  public Map<InstanceId, String> failures() {
    return failures;
  }

  /** Records replayed so far. */
  public long records() {
    return records;
  }

  /** Bytes of all records after the snapshot of this log, including those that did not count. */
  public long recordBytes() {
    return recordBytes;
  }

  /** Entries of the snapshot that counted. */
  public long entries() {
    return entries;
  }

  /** Bytes of the snapshot of this log. */
  public long snapshotBytes() {
    return snapshotBytes;
  }

  /** Sets the only epoch in which entries of a partition count; 0 for none. */
  public void expect(int partition, int epoch) {
    epochs[partition] = epoch;
  }

  /** The highest epoch of a partition so far, whether it counted or not. */
  public int highest(int partition) {
    return highest[partition];
  }

  @Override
  public void onEntry(int partition, byte kind, ByteBuffer payload) throws IOException {
    snapshotBytes += payload.remaining();
    if (kind == SnapshotEntry.BEGIN) {
      SnapshotHeader begun = SnapshotHeader.decode(bytes(payload));
      begun.epochs().forEach((known, epoch) -> highest[known] = Math.max(highest[known], epoch));
      begin(begun);
    } else if (kind == SnapshotEntry.END) {
      end(payload.getLong(payload.position()));
    } else if (SnapshotEntry.isOfKernel(kind)
        || (epochs[partition] != 0 && epochs[partition] == begun().epoch(partition))) {
      entries++;
      restore(partition, kind, payload);
    }
  }

  private SnapshotHeader begun() throws IOException {
    if (snapshot == null) {
      throw new IOException("expected the first entry of a snapshot before others, found none");
    }
    return snapshot;
  }

  /** Begins a snapshot, whose entries may be ahead of records. */
  private void begin(SnapshotHeader begun) throws IOException {
    if (snapshot != null) {
      throw new IOException("expected a snapshot to begin once, found it begun again");
    }
    snapshot = begun;
    snapshotEnd = 0;
    countFrom(begun);
    recoveries.forEach(Recovery::beginSnapshot);
  }

  private void countFrom(SnapshotHeader begun) {
    opened(begun.opening());
    countFrom(begun.nowNanos(), begun.epochMillis());
  }

  /** Sets the scale of the following states' times, which showed this when the wall clock did. */
  private void countFrom(long thenNanos, long thenEpochMillis) {
    offsetNanos =
        sameScale
            ? 0
            : nowNanos
                - TimeUnit.MILLISECONDS.toNanos(nowEpochMillis - thenEpochMillis)
                - thenNanos;
  }

  /** Ends a snapshot: no record after the position is skipped. */
  private void end(long position) throws IOException {
    begun();
    snapshotEnd = position;
  }

  private void restore(int partition, byte kind, ByteBuffer payload) throws IOException {
    byte[] bytes = bytes(payload);
    try {
      if (SnapshotEntry.isOfKernel(kind)) {
        for (Recovery recovery : recoveries) {
          recovery.restoreEntry(partition, kind, bytes, offsetNanos);
        }
      } else {
        owner(partition).restoreEntry(partition, kind, bytes, offsetNanos);
      }
    } catch (RecoveryException e) {
      InstanceId id = e.instance();
      if (id == null) {
        throw new IOException(e.getMessage(), e);
      }
      failures.putIfAbsent(id, reasonOf(e));
    }
  }

  private static byte[] bytes(ByteBuffer payload) {
    byte[] bytes = new byte[payload.remaining()];
    payload.get(payload.position(), bytes);
    return bytes;
  }

  @Override
  public void onRecord(long position, int partition, int epoch, byte kind, ByteBuffer payload)
      throws IOException {
    recordBytes += payload.remaining();
    if (snapshot != null && position > snapshotEnd) {
      endSnapshot();
    }
    switch (kind) {
      case JournalHeader.KIND -> opened(JournalHeader.decode(payload));
      case SnapshotEntry.MOVED -> {
        TransferHeader transferHeader = TransferHeader.decode(payload);
        countFrom(transferHeader.nowNanos(), transferHeader.epochMillis());
      }
      case SnapshotEntry.BEGIN -> countFrom(SnapshotHeader.decode(bytes(payload))); // old format
      case SnapshotEntry.KERNEL, SnapshotEntry.EVENTS -> restore(partition, kind, payload);
      default -> {
        highest[partition] = Math.max(highest[partition], epoch);
        if (epoch == epochs[partition]) {
          records++;
          apply(position, partition, kind, payload);
        }
      }
    }
  }

  private void apply(long position, int partition, byte kind, ByteBuffer payload)
      throws IOException {
    switch (kind) {
      case SnapshotEntry.PART,
          SnapshotEntry.INSTANCE,
          SnapshotEntry.ENDED,
          SnapshotEntry.KEY,
          SnapshotEntry.CHILD ->
          restore(partition, kind, payload);
      default -> applyEvent(position, partition, codec.decode(kind, payload.duplicate()));
    }
  }

  private void applyEvent(long position, int partition, JournalRecord record) {
    if (failures.containsKey(record.id())) {
      return; // its later records cannot be applied after a failure
    }
    try {
      owner(partition).apply(record, nanosOf(record));
    } catch (RecoveryException | StackOverflowError e) {
      failures.put(record.id(), "record " + position + " of the journal: " + reasonOf(e));
    }
  }

  private static String reasonOf(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }

  private Recovery owner(int partition) {
    return recoveries.get(partitionTable.owner(partition));
  }

  /**
   * Ends the reading of a log.
   *
   * @throws IOException when its snapshot has no end
   */
  public void finish() throws IOException {
    if (snapshot != null) {
      endSnapshot();
    }
  }

  private void endSnapshot() throws IOException {
    if (snapshotEnd == 0) {
      throw new IOException("expected the last entry of the snapshot, found none");
    }
    snapshot = null;
    recoveries.forEach(Recovery::endSnapshot);
  }

  private void opened(JournalHeader journalHeader) {
    sameScale = journalHeader.scale().equals(clock.scale());
    EngineLimits then = journalHeader.inForce(limits);
    recoveries.forEach(
        recovery -> recovery.onJournalOpened(then, journalHeader.callsAreNumbered()));
  }

  /**
   * The time of a record on the monotonic scale of this process: as read, when the machine was not
   * restarted since, otherwise by the wall clock.
   */
  private long nanosOf(JournalRecord record) {
    return sameScale
        ? record.nowNanos()
        : nowNanos - TimeUnit.MILLISECONDS.toNanos(nowEpochMillis - record.epochMillis());
  }
}
