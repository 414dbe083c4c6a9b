package dev.pinion.core.migration;

import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.partition.JournalCatalog;
import dev.pinion.core.partition.MigrationLock;
import dev.pinion.core.partition.PartitionClaims;
import dev.pinion.core.partition.PartitionClaims.Claim;
import dev.pinion.core.partition.PartitionTable;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.recovery.JournalReplay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The partitions that a log holds, each in an epoch: those that its replica works on, and those
 * that it has released, which stay here until another one has taken them over.
 *
 * <pre>
 *   none ──take──▶ active ──release──▶ released ──settle──▶ none
 * </pre>
 *
 * <p>Changed by one thread, which has the {@link MigrationLock}, except by {@link
 * #forgetTransferred}; read by any.
 */
public final class PartitionOwnership {
  private final Path root;
  private final String name;
  private final RecordLog log;
  private final PartitionTable partitionTable;

  /** By partition: its epoch, negative when it was released; 0 for one that is not held. */
  private final AtomicIntegerArray states = new AtomicIntegerArray(ReplicaGroup.PARTITIONS);

  /** The highest epoch that a record of this log may have; the moving thread only. */
  private final int[] highest = new int[ReplicaGroup.PARTITIONS];

  private volatile boolean owing;

  /**
   * The partitions of a log; none until it is opened.
   *
   * @param directory directory of the log, absolute
   * @param partitionTable those of this replica
   */
  public PartitionOwnership(Path directory, RecordLog log, PartitionTable partitionTable) {
    this.root = Objects.requireNonNull(directory.getParent(), "a parent");
    this.name = String.valueOf(directory.getFileName());
    this.log = log;
    this.partitionTable = partitionTable;
  }

  /** The folder of this log and the others. */
  public Path root() {
    return root;
  }

  /** The name of this log. */
  String name() {
    return name;
  }

  /**
   * Determines the partitions of this log, and releases those now assigned to another replica.
   * Under the turn.
   *
   * @throws IOException when the claims of the log are missing or damaged
   */
  public synchronized void open() throws IOException {
    PartitionClaims claims = PartitionClaims.read(root);
    SortedMap<Integer, Claim> own = claims.of(name);
    if (own == null && log.report().position() > 0) {
      throw new IOException(
          "expected the claims of the journal "
              + root.resolve(name)
              + " in a file claims-"
              + name
              + " beside it, found none; put a copy of it back");
    }
    for (int partition = 0; partition < ReplicaGroup.PARTITIONS; partition++) {
      PartitionClaims.Holder holder = claims.holder(partition);
      if (holder != null && holder.log().equals(name)) {
        int epoch = holder.claim().epoch();
        states.set(partition, partitionTable.isLocal(partition) ? epoch : -epoch);
      }
    }
    recompute();
    if (!claims().equals(own)) {
      PartitionClaims.write(root, name, claims()); // the first time too: missing means lost
    }
    JournalCatalog.add(root, name);
  }

  /** Replays the log: its records of active partitions count. */
  public void replay(JournalReplay replay) throws IOException {
    for (int partition = 0; partition < ReplicaGroup.PARTITIONS; partition++) {
      replay.expect(partition, epoch(partition));
    }
    log.replay(replay);
    replay.finish();
    for (int partition = 0; partition < ReplicaGroup.PARTITIONS; partition++) {
      highest[partition] = replay.highest(partition);
    }
  }

  private void recompute() {
    boolean released = false;
    for (int partition = 0; partition < ReplicaGroup.PARTITIONS; partition++) {
      released |= states.get(partition) < 0;
    }
    owing = released;
  }

  private SortedMap<Integer, Claim> claims() {
    SortedMap<Integer, Claim> claims = new TreeMap<>();
    for (int partition = 0; partition < ReplicaGroup.PARTITIONS; partition++) {
      int state = states.get(partition);
      if (state != 0) {
        claims.put(partition, new Claim(Math.abs(state), state < 0));
      }
    }
    return claims;
  }

  /** The epoch of an active partition; 0 for any other. */
  public int epoch(int partition) {
    return Math.max(0, states.get(partition));
  }

  /** The epochs of all partitions that are active. */
  public SortedMap<Integer, Integer> epochs() {
    SortedMap<Integer, Integer> active = new TreeMap<>();
    for (int partition = 0; partition < ReplicaGroup.PARTITIONS; partition++) {
      if (epoch(partition) > 0) {
        active.put(partition, epoch(partition));
      }
    }
    return active;
  }

  /** Active partitions that are assigned to another replica. */
  BitSet surplus() {
    BitSet surplus = new BitSet();
    for (int partition = 0; partition < ReplicaGroup.PARTITIONS; partition++) {
      surplus.set(partition, epoch(partition) > 0 && !partitionTable.isLocal(partition));
    }
    return surplus;
  }

  /** Partitions that are assigned to this replica but not active. */
  BitSet missing() {
    BitSet missing = new BitSet();
    for (int partition = 0; partition < ReplicaGroup.PARTITIONS; partition++) {
      missing.set(partition, epoch(partition) == 0 && partitionTable.isLocal(partition));
    }
    return missing;
  }

  /** Partitions that are not active. */
  public BitSet absent() {
    BitSet absent = new BitSet();
    for (int partition = 0; partition < ReplicaGroup.PARTITIONS; partition++) {
      absent.set(partition, epoch(partition) == 0);
    }
    return absent;
  }

  /** Releases partitions durably. No further record of them is written. Under the turn. */
  synchronized void release(BitSet some) throws IOException {
    SortedMap<Integer, Claim> claims = claims();
    some.stream().forEach(each -> claims.put(each, new Claim(epoch(each), true)));
    PartitionClaims.write(root, name, claims);
    some.stream().forEach(each -> states.set(each, -epoch(each)));
    recompute();
  }

  /**
   * Chooses epochs for partitions that are taken over, higher than any that they had.
   *
   * @param epochs epochs in the log they come from; 0 for partitions of no log
   */
  SortedMap<Integer, Integer> nextEpochs(SortedMap<Integer, Integer> epochs) {
    SortedMap<Integer, Integer> next = new TreeMap<>();
    epochs.forEach(
        (partition, epoch) -> {
          highest[partition] = Math.max(epoch, highest[partition]) + 1;
          next.put(partition, highest[partition]);
        });
    return next;
  }

  /** Claims partitions durably that were taken over and are on disk. Under the turn. */
  synchronized void acquire(SortedMap<Integer, Integer> epochs) throws IOException {
    SortedMap<Integer, Claim> claims = claims();
    epochs.forEach((partition, epoch) -> claims.put(partition, new Claim(epoch, false)));
    PartitionClaims.write(root, name, claims);
    epochs.forEach(states::set);
    recompute();
  }

  /**
   * Whether the log holds partitions that another replica has yet to take over: until then nothing
   * may be deleted from the log.
   */
  public boolean hasUntransferred() {
    return owing;
  }

  /**
   * Forgets partitions that others have taken over meanwhile. Called by one thread now and then.
   */
  public synchronized void forgetTransferred() throws IOException {
    if (!owing) {
      return;
    }
    PartitionClaims claims = PartitionClaims.read(root);
    for (int partition = 0; partition < ReplicaGroup.PARTITIONS; partition++) {
      int state = states.get(partition);
      PartitionClaims.Holder holder = claims.holder(partition);
      if (state < 0 && holder != null && !holder.log().equals(name)) {
        states.compareAndSet(partition, state, 0);
      }
    }
    recompute();
  }
}
