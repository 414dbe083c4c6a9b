package dev.pinion.core.engine;

import dev.pinion.core.journal.disk.NoSpaceException;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.limits.JournalLimits;
import dev.pinion.core.migration.PartitionOwnership;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps room for a journal: deletes obsolete segments and makes the next one ahead. Before the disk
 * is full it requests a snapshot that lets segments be deleted; room for that is reserved in a
 * separate file. No record waits for it, so every failure here is logged, counted and tried again;
 * the journal continues as long as its current segment has room. One thread, except for the methods
 * that say otherwise.
 */
final class JournalMaintenance {
  private static final Logger LOG = LoggerFactory.getLogger(JournalMaintenance.class);

  /** Below this many segments of free disk, only the necessary is kept. */
  private static final int LEAST_SEGMENTS = 2;

  /** Divisor: the reserve is this part of a segment plus the likely size of a snapshot. */
  private static final int PART_RESERVED = 4;

  /** A follower that has not moved for so long is not waited for. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final RecordLog log;
  private final PartitionOwnership held;
  private final JournalLimits limits;
  private final LongSupplier usableBytes;
  private final LongSupplier nowNanos;
  private final SnapshotRequest snapshots;
  private final LongAdder failures = new LongAdder();
  private volatile boolean failing;

  /** Whether the next segment found no room on the disk. */
  private volatile boolean full;

  /** Whether a snapshot of the present state would find no room, so that nothing could be freed. */
  private volatile boolean cramped;

  private long followed;
  private long followedSinceNanos;
  private volatile boolean farAhead;

  /** Requests snapshots. */
  interface SnapshotRequest {
    /** Requests one to make room. */
    void urge();

    /** Whether one is being written, which takes room already. */
    boolean underWay();

    /** Whether the latest one found no room. */
    boolean lackRoom();

    /** Most bytes that the next one is likely to take. */
    long likelyBytes();
  }

  /**
   * Keeps room for a log.
   *
   * @param usableBytes bytes that may still be written to its disk
   * @param nowNanos monotonic time
   */
  JournalMaintenance(
      RecordLog log,
      PartitionOwnership held,
      JournalLimits limits,
      LongSupplier usableBytes,
      LongSupplier nowNanos,
      SnapshotRequest snapshots) {
    this.log = log;
    this.held = held;
    this.limits = limits;
    this.usableBytes = usableBytes;
    this.nowNanos = nowNanos;
    this.snapshots = snapshots;
    this.followedSinceNanos = nowNanos.getAsLong();
  }

  /** Whether the disk has room for more than the work under way. Any thread. */
  boolean hasRoom() {
    return !full && !cramped;
  }

  /**
   * Whether an active follower of the journal has so much left to read that starts wait for it. Any
   * thread.
   */
  boolean isFollowerBehind() {
    return farAhead;
  }

  /** Whether the latest run succeeded in full, so that a further one need not wait. Any thread. */
  boolean isHealthy() {
    return !full && !failing;
  }

  /** Failed chores, except for lack of room. Any thread. */
  long failures() {
    return failures.sum();
  }

  /** Runs every chore once; a failed one does not prevent the others. */
  void run() {
    boolean well =
        attempt("forget partitions that others have taken over", held::forgetTransferred);
    well &= attempt("check the progress of its follower", this::lookAtFollower);
    well &= attempt("delete what snapshots have replaced", this::deleteObsolete);
    well &= preallocateSegment();
    well &= attempt("keep room for a snapshot", this::keepReserve);
    well &= attempt("look whether a snapshot would find room", this::lookAtRoom);
    if (isShort() && log.snapshotWouldFree()) {
      snapshots.urge();
    }
    if (well && failing) {
      LOG.info("the housekeeping of the journal succeeds again");
    }
    failing = !well;
  }

  /**
   * Checks the room for a snapshot: without one no segment is ever deleted, so the state must not
   * outgrow that room.
   */
  private void lookAtRoom() throws IOException {
    if (snapshots.underWay()) {
      return; // its end shows whether there was room
    }
    boolean now = usableBytes.getAsLong() < snapshots.likelyBytes() - log.reserved();
    if (now && !cramped) {
      LOG.warn(
          "no room for a snapshot of what instances hold: starts are refused until there is, or"
              + " until instances have ended");
    }
    cramped = now;
  }

  /** Whether the disk is full, or will soon be. */
  private boolean isShort() {
    return full || cramped || usableBytes.getAsLong() < (long) LEAST_SEGMENTS * log.segmentBytes();
  }

  /** Deletes obsolete files; followers must not keep the engine from work. */
  private void deleteObsolete() throws IOException {
    boolean nothing = isShort();
    log.deleteObsolete(
        nothing ? 0 : limits.keptLogBytes(), nothing ? 0 : 2L * limits.unreadLogBytes());
  }

  private void lookAtFollower() throws IOException {
    long now = nowNanos.getAsLong();
    long latest = log.followerPosition();
    if (latest != followed) {
      followed = latest;
      followedSinceNanos = now;
    }
    farAhead =
        followed > 0
            && now - followedSinceNanos < PATIENCE_NANOS
            && log.unreadBytes(followed) > limits.unreadLogBytes();
  }

  /** Keeps the reserve for the snapshot that makes room, and restores it when there is room. */
  private void keepReserve() throws IOException {
    if (snapshots.lackRoom()) {
      if (log.releaseReserve()) {
        LOG.info("released the room reserved for a snapshot, as the disk is full");
      }
      return;
    }
    long wanted = log.segmentBytes() / PART_RESERVED + snapshots.likelyBytes();
    long more = Math.max(0, wanted - log.reserved());
    if (usableBytes.getAsLong() - more >= (long) LEAST_SEGMENTS * log.segmentBytes() && !full) {
      log.takeReserve(wanted);
    }
  }

  /**
   * Makes as much room as possible before the log is opened: a restart must not need room that only
   * a running engine can free.
   */
  void makeRoom() {
    if (preallocateSegment() && full) {
      attempt("delete what snapshots have replaced", log::deleteObsolete);
      attempt("give up the room that was kept for a snapshot", log::releaseReserve);
      preallocateSegment();
    }
  }

  private boolean attempt(String what, MaintenanceTask maintenanceTask) {
    try {
      maintenanceTask.run();
      return true;
    } catch (IOException | RuntimeException e) {
      failures.increment();
      if (!failing) {
        LOG.warn(
            "the housekeeping of the journal could not {}; it is tried again every second, and"
                + " nothing is lost",
            what,
            e);
      }
      return false;
    }
  }

  /**
   * Makes the next segment unless there is one; returns whether only room was missing, if anything.
   */
  boolean preallocateSegment() {
    return attempt("make the next segment ahead", this::prepareSpare);
  }

  private void prepareSpare() throws IOException {
    try {
      log.preallocate();
      full = false;
    } catch (NoSpaceException e) {
      if (!full) {
        LOG.warn("no room for the next file of the journal: starts are refused until there is");
      }
      full = true;
    }
  }

  @FunctionalInterface
  private interface MaintenanceTask {
    void run() throws IOException;
  }
}
