package dev.pinion.core.engine;

import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.journal.store.RecordVisitor;
import dev.pinion.core.kernel.Recovery;
import dev.pinion.core.kernel.RecoveryException;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.PayloadCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Gives every record of a journal to the recovery of the kernel that owns its partition. */
final class JournalReplay implements RecordVisitor {
  private final List<Recovery> recoveries;
  private final Partitions partitions;
  private final PayloadCodec payloads;
  private final RecordCodec codec;
  private final EngineLimits limits;
  private final Clock clock;
  private final long nowNanos;
  private final long nowEpochMillis;

  /** States of which more follows, by partition: those of one kernel stand in order. */
  private final Map<Integer, ByteArrayOutputStream> parts = new HashMap<>();

  private boolean sameScale;

  /** What times of the snapshot are moved by, to be on the scale of this process. */
  private long offsetNanos;

  private boolean snapshotBegun;

  /** Up to where instances of the snapshot may be ahead of records; 0 before it is known. */
  private long snapshotEnd;

  private long entries;
  private long snapshotBytes;
  private long records;
  private long recordBytes;
  private int lastEpoch;

  /**
   * A replay.
   *
   * @param recoveries the kernels, by index
   * @param partitions which kernel owns which partition
   * @param limits the limits in force today, for those that an old journal does not name
   */
  JournalReplay(
      List<Recovery> recoveries,
      Partitions partitions,
      PayloadCodec payloads,
      EngineLimits limits,
      Clock clock) {
    this.recoveries = recoveries;
    this.partitions = partitions;
    this.payloads = payloads;
    this.codec = new RecordCodec(payloads);
    this.limits = limits;
    this.clock = clock;
    this.nowNanos = clock.nanoTime();
    this.nowEpochMillis = clock.epochMillis();
  }

  /** Records replayed so far. */
  long records() {
    return records;
  }

  /** Bytes of their payloads. */
  long recordBytes() {
    return recordBytes;
  }

  /** Entries of the snapshot that was read. */
  long entries() {
    return entries;
  }

  /** Bytes of these entries. */
  long snapshotBytes() {
    return snapshotBytes;
  }

  /** The highest epoch seen; 0 for none. */
  int lastEpoch() {
    return lastEpoch;
  }

  @Override
  public void onEntry(int partition, byte kind, ByteBuffer payload) throws IOException {
    entries++;
    snapshotBytes += payload.remaining();
    byte[] bytes = new byte[payload.remaining()];
    payload.get(bytes);
    if ((kind == SnapshotEntry.BEGIN) == snapshotBegun) {
      throw new IOException("expected a snapshot to begin once, found an entry of kind " + kind);
    }
    try {
      onEntry(partition, kind, bytes);
    } catch (RecoveryException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void onEntry(int partition, byte kind, byte[] bytes)
      throws IOException, RecoveryException {
    switch (kind) {
      case SnapshotEntry.BEGIN -> begin(SnapshotOpening.decode(payloads, bytes));
      case SnapshotEntry.PART ->
          parts.computeIfAbsent(partition, _ -> new ByteArrayOutputStream()).writeBytes(bytes);
      case SnapshotEntry.INSTANCE -> owner(partition).restore(whole(partition, bytes), offsetNanos);
      case SnapshotEntry.ENDED -> owner(partition).restoreEnded(bytes);
      case SnapshotEntry.KERNEL -> {
        InstanceId last = new InstanceId(ByteBuffer.wrap(bytes).getLong());
        recoveries.forEach(recovery -> recovery.given(last));
      }
      case SnapshotEntry.END -> snapshotEnd = ByteBuffer.wrap(bytes).getLong();
      default -> throw new IOException("expected an entry of a kind that is known, found " + kind);
    }
  }

  private void begin(SnapshotOpening begun) {
    snapshotBegun = true;
    lastEpoch = begun.epoch();
    opened(begun.opening());
    offsetNanos =
        sameScale
            ? 0
            : nowNanos
                - TimeUnit.MILLISECONDS.toNanos(nowEpochMillis - begun.epochMillis())
                - begun.nowNanos();
    recoveries.forEach(Recovery::beginSnapshot);
  }

  private byte[] whole(int partition, byte[] last) {
    ByteArrayOutputStream before = parts.remove(partition);
    if (before == null) {
      return last;
    }
    before.writeBytes(last);
    return before.toByteArray();
  }

  @Override
  public void onRecord(long position, int partition, int epoch, byte kind, ByteBuffer payload)
      throws IOException {
    records++;
    recordBytes += payload.remaining();
    lastEpoch = Math.max(lastEpoch, epoch);
    if (snapshotBegun && position > snapshotEnd) {
      endSnapshot();
    }
    if (kind == Opening.KIND) {
      opened(Opening.decode(payloads, payload));
      return;
    }
    Recovery recovery = owner(partition);
    JournalRecord record = codec.decode(kind, payload);
    try {
      recovery.apply(record, nanosOf(record));
    } catch (RecoveryException e) {
      throw new IOException("record " + position + " of the journal: " + e.getMessage(), e);
    }
  }

  /**
   * Everything was read.
   *
   * @throws IOException when the snapshot has no end
   */
  void finish() throws IOException {
    if (snapshotBegun) {
      endSnapshot();
    }
  }

  private void endSnapshot() throws IOException {
    if (snapshotEnd == 0) {
      throw new IOException("expected the last entry of the snapshot, found none");
    }
    snapshotBegun = false;
    recoveries.forEach(Recovery::endSnapshot);
  }

  private Recovery owner(int partition) throws IOException {
    if (!partitions.isOurs(partition)) {
      throw new IOException(
          "expected records of the partitions of this replica, found one of partition "
              + partition
              + ": the data was written with another number of replicas; start with that number");
    }
    return recoveries.get(partitions.owner(partition));
  }

  private void opened(Opening opening) {
    sameScale = opening.scale().equals(clock.scale());
    EngineLimits then = limits.with(opening.limits());
    recoveries.forEach(recovery -> recovery.opened(then));
  }

  /**
   * The time of a record on the monotonic scale of this process: as it was read when the machine
   * was not started anew since, else by the wall clock.
   */
  private long nanosOf(JournalRecord record) {
    return sameScale
        ? record.nowNanos()
        : nowNanos - TimeUnit.MILLISECONDS.toNanos(nowEpochMillis - record.epochMillis());
  }
}
