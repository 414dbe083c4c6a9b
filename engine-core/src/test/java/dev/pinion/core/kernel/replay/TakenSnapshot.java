package dev.pinion.core.kernel.replay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.SnapshotSink;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.InstanceWriter;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.kernel.table.FinishedInstanceCodec;
import dev.pinion.core.model.InstanceId;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A snapshot of one kernel, in memory. */
public final class TakenSnapshot implements SnapshotSink {
  public final List<SnapshotEntry> entries = new ArrayList<>();

  /** Number of further entries that find room. */
  int room = Integer.MAX_VALUE;

  boolean abandoned;
  private int maxEntryBytes = 1 << 20;
  private boolean older;

  /** A whole snapshot of a kernel that stands still. */
  public static TakenSnapshot of(Kernel kernel) {
    TakenSnapshot taken = new TakenSnapshot();
    kernel.snapshotNow(taken);
    return taken;
  }

  /** Marks the states as those of an older engine, which are read but written differently. */
  public TakenSnapshot ofOlder() {
    older = true;
    return this;
  }

  /** Divides states into entries of so many bytes. */
  public TakenSnapshot dividedInto(int bytes) {
    maxEntryBytes = bytes;
    return this;
  }

  @Override
  public boolean offer(SnapshotEntry entry) {
    if (room == 0) {
      return false;
    }
    room--;
    entries.add(entry);
    return true;
  }

  @Override
  public int maxEntryBytes() {
    return maxEntryBytes;
  }

  @Override
  public boolean hasRoom() {
    return room > 0;
  }

  @Override
  public boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public void fail(RuntimeException failure) {
    throw failure;
  }

  boolean isComplete() {
    return !entries.isEmpty() && entries.getLast().kind() == SnapshotEntry.KERNEL;
  }

  /** Number of running instances in it. */
  int running() {
    return count(SnapshotEntry.INSTANCE);
  }

  int ended() {
    return count(SnapshotEntry.ENDED);
  }

  int count(byte kind) {
    return (int) entries.stream().filter(entry -> entry.kind() == kind).count();
  }

  /** The state of every instance, whole. */
  List<byte[]> states() {
    return whole(SnapshotEntry.INSTANCE);
  }

  private List<byte[]> whole(byte kind) {
    List<byte[]> states = new ArrayList<>();
    ByteArrayOutputStream state = new ByteArrayOutputStream();
    for (SnapshotEntry entry : entries) {
      if (entry.kind() == SnapshotEntry.PART || entry.kind() == kind) {
        state.writeBytes(entry.bytes());
      }
      if (entry.kind() != SnapshotEntry.PART) {
        if (entry.kind() == kind) {
          states.add(state.toByteArray());
        }
        state.reset();
      }
    }
    return states;
  }

  /**
   * Restores everything in a recovery; checks that each state is written as the same bytes again.
   */
  void restore(Recovery recovery, Kernel kernel) throws RecoveryException {
    recovery.beginSnapshot();
    for (byte[] state : states()) {
      recovery.restoreEntry(0, SnapshotEntry.INSTANCE, state, 0);
      Instance restored =
          kernel.instances().running(new InstanceId(ByteBuffer.wrap(state).getLong()));
      assertNotNull(restored);
      ByteWriter again = new ByteWriter();
      kernel
          .memoryAccount()
          .packing()
          .withUnpacked(restored, () -> InstanceWriter.write(restored, again));
      if (!older) {
        assertArrayEquals(state, again.toBytes(), () -> "state of " + restored.id());
      }
    }
    for (byte[] ended : whole(SnapshotEntry.ENDED)) {
      recovery.restoreEntry(0, SnapshotEntry.ENDED, ended, 0);
      ByteWriter again = new ByteWriter();
      FinishedInstanceCodec.write(FinishedInstanceCodec.read(ended), again);
      assertArrayEquals(ended, again.toBytes());
    }
    for (byte[] pending : whole(SnapshotEntry.CHILD)) {
      recovery.restoreEntry(0, SnapshotEntry.CHILD, pending, 0);
    }
    for (SnapshotEntry entry : entries) {
      switch (entry.kind()) {
        case SnapshotEntry.KEY -> recovery.restoreEntry(0, SnapshotEntry.KEY, entry.bytes(), 0);
        case SnapshotEntry.EVENTS, SnapshotEntry.KERNEL ->
            recovery.restoreEntry(0, entry.kind(), entry.bytes(), 0);
        default -> {}
      }
    }
  }
}
