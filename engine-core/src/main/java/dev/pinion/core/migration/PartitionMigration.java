package dev.pinion.core.migration;

import dev.pinion.core.journal.disk.StorageLock;
import dev.pinion.core.partition.MigrationLock;
import dev.pinion.core.partition.PartitionClaims;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.partition.SlotAssignment;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.stage.AncillaryThreadFactory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.BitSet;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the partitions that a replica holds in line with those that it is assigned, on a separate
 * thread.
 *
 * <pre>
 *   assigned ─▶ surplus: kernels release ─▶ claimed as released
 *            └▶ missing: other log is read ─▶ own log is written, forced ─▶ claimed ─▶ kernels work
 * </pre>
 *
 * <p>Missing partitions that another replica still holds are tried again soon, failed ones later;
 * meanwhile the kernels answer that they are not here.
 */
public final class PartitionMigration {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionMigration.class);

  /** Time until partitions that another replica has yet to release are checked again. */
  private static final long SOON_MILLIS = 10;

  /** Time until a failed attempt is repeated. */
  private static final long LATER_MILLIS = 1_000;

  private final ReplicaGroup replicaGroup;
  private final int slot;
  private final PartitionOwnership held;
  private final MigrationLock turns;
  private final PartitionImport lent;
  private final PartitionTransfer partitionTransfer;
  private final ScheduledExecutorService thread;
  private volatile int settledVersion = -1;

  /** Whether the kernels work on exactly the partitions claimed as active. */
  private volatile boolean intact = true;

  private boolean failed;

  /**
   * A mover that has moved nothing yet.
   *
   * @param partitionTransfer the parts of kernels and log
   */
  public PartitionMigration(
      EngineSettings settings,
      PartitionOwnership held,
      MigrationLock turns,
      PartitionImport lent,
      PartitionTransfer partitionTransfer) {
    this.replicaGroup = settings.entrance().replicaGroup();
    this.slot = replicaGroup.slot();
    this.held = held;
    this.turns = turns;
    this.lent = lent;
    this.partitionTransfer = partitionTransfer;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            new AncillaryThreadFactory("mover", settings.threads()));
  }

  /**
   * Takes over the missing partitions that are available; the rest later. On the thread that starts
   * the engine, before anything else runs.
   *
   * @throws IOException when partitions of the own slot cannot be taken over
   */
  public void begin() throws IOException {
    try (StorageLock _ = turns.acquire()) {
      takeOver();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while partitions were taken over");
    } catch (IOException e) {
      if (!intact || lacksOwnSlot()) {
        throw e;
      }
      LOG.error("partitions of other slots could not be taken over; it is tried again", e);
    }
  }

  /** Follows the assignment from now on. */
  public void start() {
    if (replicaGroup.shared()) {
      replicaGroup.onAssigned(() -> again(0));
    }
    again(0);
  }

  private void again(long millis) {
    try {
      var _ = thread.schedule(this::run, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("no partitions move any more: the engine ends", e);
    }
  }

  private void run() {
    try {
      settle();
      failed = false;
      if (!isSettled()) {
        again(SOON_MILLIS);
      }
    } catch (IOException | RuntimeException e) {
      if (!failed) {
        LOG.error("partitions could not be moved; it is tried again every second", e);
      }
      failed = true;
      again(LATER_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the engine ends
    }
  }

  /** Whether all partitions are where they are assigned, as far as this replica is concerned. */
  public boolean isSettled() {
    return settledVersion == replicaGroup.assignment().version();
  }

  /** Whether the own slot is assigned to this replica and all its partitions are here. */
  public boolean ownsItsSlot() {
    return intact && replicaGroup.assignment().owner(slot) == slot && !lacksOwnSlot();
  }

  private boolean lacksOwnSlot() {
    return held.missing().stream().anyMatch(each -> replicaGroup.slotOf(each) == slot);
  }

  private void settle() throws IOException, InterruptedException {
    SlotAssignment wanted = replicaGroup.assignment();
    BitSet surplus = held.surplus();
    if (!surplus.isEmpty()) {
      letGo(surplus);
    }
    if (!held.missing().isEmpty()) {
      try (StorageLock turn = turns.tryAcquire()) {
        if (turn != null) {
          takeOver();
        }
      }
    }
    if (held.missing().isEmpty()) {
      settledVersion = wanted.version();
    }
  }

  private void letGo(BitSet surplus) throws IOException, InterruptedException {
    partitionTransfer.suspendSnapshots();
    intact = false;
    partitionTransfer.release(surplus);
    try (StorageLock _ = turns.acquire()) {
      held.release(surplus);
    }
    intact = true;
    partitionTransfer.resumeSnapshots();
    LOG.info("released {} partitions", surplus.cardinality());
  }

  /** Takes over the available partitions; a failure does not stop the others. */
  private void takeOver() throws IOException, InterruptedException {
    IOException failure = null;
    for (Map.Entry<String, SortedMap<Integer, Integer>> each : sources().entrySet()) {
      try {
        takeOver(each.getKey(), each.getValue());
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Missing partitions that are available, by the log that holds them; "" for those of no log. */
  private Map<String, SortedMap<Integer, Integer>> sources() throws IOException {
    PartitionClaims claims = PartitionClaims.read(held.root());
    Map<String, SortedMap<Integer, Integer>> sources = new TreeMap<>();
    Map<String, Boolean> unused = new TreeMap<>();
    for (int partition : held.missing().stream().toArray()) {
      PartitionClaims.Holder holder = claims.holder(partition);
      String log = holder == null ? "" : holder.log();
      if (!unused.containsKey(log)) {
        unused.put(log, log.isEmpty() || log.equals(held.name()) || turns.isUnused(log));
      }
      if (holder == null || holder.claim().released() || Boolean.TRUE.equals(unused.get(log))) {
        sources
            .computeIfAbsent(log, _ -> new TreeMap<>())
            .put(partition, holder == null ? 0 : holder.claim().epoch());
      }
    }
    return sources;
  }

  private void takeOver(String log, SortedMap<Integer, Integer> epochs)
      throws IOException, InterruptedException {
    partitionTransfer.suspendSnapshots();
    SortedMap<Integer, Integer> taken = held.nextEpochs(epochs);
    PartitionTransfer.PartitionState partitionState = copy(log, epochs, taken);
    intact = false;
    held.acquire(taken);
    partitionTransfer.acquire(taken.keySet(), partitionState);
    intact = true;
    partitionTransfer.resumeSnapshots();
    if (!log.isEmpty()) {
      LOG.info(
          "took over {} partitions with {} instances under way from the journal of replica {}",
          epochs.size(),
          partitionState.running(),
          log);
    }
  }

  private PartitionTransfer.PartitionState copy(
      String log, SortedMap<Integer, Integer> epochs, SortedMap<Integer, Integer> taken)
      throws IOException, InterruptedException {
    boolean copied = false;
    try {
      PartitionTransfer.PartitionState partitionState =
          log.isEmpty()
              ? PartitionTransfer.PartitionState.NONE
              : new PartitionTransfer.PartitionState(lent.read(held.root().resolve(log), epochs));
      partitionTransfer.write(partitionState, taken);
      copied = true;
      return partitionState;
    } finally {
      if (!copied && intact) {
        partitionTransfer.resumeSnapshots(); // nothing that was written counts
      }
    }
  }

  /**
   * Stops moving.
   *
   * @return whether the kernels have exactly the claimed partitions
   */
  public boolean stop() {
    thread.shutdownNow();
    return intact;
  }
}
