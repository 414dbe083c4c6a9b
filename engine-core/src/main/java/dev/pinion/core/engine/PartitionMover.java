package dev.pinion.core.engine;

import dev.pinion.core.journal.store.StorageLock;
import dev.pinion.core.peer.Assignment;
import dev.pinion.core.peer.Neighbourhood;
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
final class PartitionMover {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionMover.class);

  /** Time until partitions that another replica has yet to release are checked again. */
  private static final long SOON_MILLIS = 10;

  /** Time until a failed attempt is repeated. */
  private static final long LATER_MILLIS = 1_000;

  private final Neighbourhood neighbourhood;
  private final int slot;
  private final HeldPartitions held;
  private final MoveTurn turns;
  private final LentKernels lent;
  private final Moving moving;
  private final ScheduledExecutorService thread;
  private volatile int settledVersion = -1;

  /** Whether the kernels work on exactly the partitions claimed as active. */
  private volatile boolean intact = true;

  private boolean failed;

  /**
   * A mover that has moved nothing yet.
   *
   * @param moving the parts of kernels and log
   */
  PartitionMover(
      EngineSettings settings,
      HeldPartitions held,
      MoveTurn turns,
      LentKernels lent,
      Moving moving) {
    this.neighbourhood = settings.entrance().neighbourhood();
    this.slot = neighbourhood.slot();
    this.held = held;
    this.turns = turns;
    this.lent = lent;
    this.moving = moving;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            new AncillaryThreads("mover", settings.threads()));
  }

  /**
   * Takes over the missing partitions that are available; the rest later. On the thread that starts
   * the engine, before anything else runs.
   *
   * @throws IOException when partitions of the own slot cannot be taken over
   */
  void begin() throws IOException {
    try (StorageLock _ = turns.take()) {
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
  void start() {
    if (neighbourhood.shared()) {
      neighbourhood.onAssigned(() -> again(0));
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
  boolean isSettled() {
    return settledVersion == neighbourhood.assignment().version();
  }

  /** Whether the own slot is assigned to this replica and all its partitions are here. */
  boolean holdsItsSlot() {
    return intact && neighbourhood.assignment().holder(slot) == slot && !lacksOwnSlot();
  }

  private boolean lacksOwnSlot() {
    return held.missing().stream().anyMatch(each -> neighbourhood.slotOf(each) == slot);
  }

  private void settle() throws IOException, InterruptedException {
    Assignment wanted = neighbourhood.assignment();
    BitSet surplus = held.surplus();
    if (!surplus.isEmpty()) {
      letGo(surplus);
    }
    if (!held.missing().isEmpty()) {
      try (StorageLock turn = turns.tryTake()) {
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
    moving.suspendSnapshots();
    intact = false;
    moving.depart(surplus);
    try (StorageLock _ = turns.take()) {
      held.release(surplus);
    }
    intact = true;
    moving.resumeSnapshots();
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
    moving.suspendSnapshots();
    SortedMap<Integer, Integer> taken = held.follow(epochs);
    Moving.State state = copy(log, epochs, taken);
    intact = false;
    held.take(taken);
    moving.arrive(taken.keySet(), state);
    intact = true;
    moving.resumeSnapshots();
    if (!log.isEmpty()) {
      LOG.info(
          "took over {} partitions with {} instances under way from the journal of replica {}",
          epochs.size(),
          state.running(),
          log);
    }
  }

  private Moving.State copy(
      String log, SortedMap<Integer, Integer> epochs, SortedMap<Integer, Integer> taken)
      throws IOException, InterruptedException {
    boolean copied = false;
    try {
      Moving.State state =
          log.isEmpty()
              ? Moving.State.NONE
              : new Moving.State(lent.read(held.root().resolve(log), epochs));
      moving.write(state, taken);
      copied = true;
      return state;
    } finally {
      if (!copied && intact) {
        moving.resumeSnapshots(); // nothing that was written counts
      }
    }
  }

  /**
   * Stops moving.
   *
   * @return whether the kernels have exactly the claimed partitions
   */
  boolean stop() {
    thread.shutdownNow();
    return intact;
  }
}
