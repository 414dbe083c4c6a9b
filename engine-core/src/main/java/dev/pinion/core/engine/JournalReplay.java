package dev.pinion.core.engine;

import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.journal.store.RecordVisitor;
import dev.pinion.core.kernel.Recovery;
import dev.pinion.core.kernel.RecoveryException;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.PayloadCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
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
  private boolean sameScale;
  private long records;
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

  /** The highest epoch seen; 0 for none. */
  int lastEpoch() {
    return lastEpoch;
  }

  @Override
  public void onEntry(int partition, byte kind, ByteBuffer payload) throws IOException {
    throw new IOException("expected a journal without snapshots, found one");
  }

  @Override
  public void onRecord(long position, int partition, int epoch, byte kind, ByteBuffer payload)
      throws IOException {
    records++;
    lastEpoch = Math.max(lastEpoch, epoch);
    if (kind == Opening.KIND) {
      opened(Opening.decode(payloads, payload));
      return;
    }
    if (!partitions.isOurs(partition)) {
      throw new IOException(
          "expected records of the partitions of this replica, found one of partition "
              + partition
              + ": the data was written with another number of replicas; start with that number");
    }
    JournalRecord record = codec.decode(kind, payload);
    try {
      recoveries.get(partitions.owner(partition)).apply(record, nanosOf(record));
    } catch (RecoveryException e) {
      throw new IOException("record " + position + " of the journal: " + e.getMessage(), e);
    }
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
