package dev.pinion.core.engine;

import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.journal.store.RecordVisitor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Copies partitions from another log into this one, under new epochs, while they are replayed.
 *
 * <p>Entries of the other log's snapshot become records. Of what that snapshot and the records
 * after it both tell, only the snapshot's part is copied, so that nobody has to tell them apart
 * again.
 */
final class PartitionTransfer implements RecordVisitor {
  private final SortedMap<Integer, Integer> from;
  private final SortedMap<Integer, Integer> to;
  private final RecordLog log;
  private final JournalReplay replay;
  private @Nullable SnapshotOpening snapshot;

  /**
   * A transfer.
   *
   * @param from the partitions and their epochs in the other log
   * @param to the same partitions and their epochs in this one
   * @param log where they go to
   */
  PartitionTransfer(
      SortedMap<Integer, Integer> from,
      SortedMap<Integer, Integer> to,
      RecordLog log,
      JournalReplay replay) {
    this.from = from;
    this.to = to;
    this.log = log;
    this.replay = replay;
  }

  /** Openings, and what a kernel knows beside its instances, stand under the first partition. */
  boolean wants(int partition) {
    return partition == 0 || from.containsKey(partition);
  }

  @Override
  public void onEntry(int partition, byte kind, ByteBuffer payload) throws IOException {
    switch (kind) {
      case SnapshotEntry.BEGIN -> {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(payload.position(), bytes);
        SnapshotOpening begun = SnapshotOpening.decode(bytes);
        log.append(0, 0, kind, payload);
        replay.begin(begun);
        snapshot = begun;
      }
      case SnapshotEntry.END -> replay.end(payload.getLong(payload.position()));
      case SnapshotEntry.KERNEL -> {
        log.append(0, 0, kind, payload);
        replay.restore(0, kind, payload);
      }
      default -> {
        int epoch = snapshot == null ? 0 : snapshot.epoch(partition);
        if (isHeld(partition, epoch) && replay.restore(partition, kind, payload)) {
          append(partition, kind, payload);
        }
      }
    }
  }

  @Override
  public void onRecord(long position, int partition, int epoch, byte kind, ByteBuffer payload)
      throws IOException {
    boolean general =
        kind == Opening.KIND || kind == SnapshotEntry.BEGIN || kind == SnapshotEntry.KERNEL;
    if (general) {
      log.append(0, 0, kind, payload);
      replay.apply(position, 0, kind, payload);
    } else if (isHeld(partition, epoch) && replay.apply(position, partition, kind, payload)) {
      append(partition, kind, payload);
    }
  }

  private boolean isHeld(int partition, int epoch) {
    Integer held = from.get(partition);
    return held != null && held == epoch;
  }

  private void append(int partition, byte kind, ByteBuffer payload) throws IOException {
    Integer epoch = to.get(partition);
    if (epoch == null) {
      throw new IllegalStateException("expected an epoch of partition " + partition);
    }
    log.append(partition, epoch, kind, payload);
  }
}
