package dev.pinion.core.engine;

import dev.pinion.core.journal.store.NoSpaceException;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.model.EngineLimits;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps room for a journal: deletes what nobody needs and makes the next segment ahead. Before the
 * disk is full it has a snapshot made that lets segments go; room for that is kept in a file of its
 * own. No record waits for it, so whatever goes wrong here is logged, counted and tried again; the
 * journal goes on as long as its current segment has room. One thread, but for the methods that say
 * otherwise.
 */
final class Housekeeping {
  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

  /** While the disk has less than so many segments' room, only what has to be kept is kept. */
  private static final int LEAST_SEGMENTS = 2;

  /** The reserve is such a part of a segment, and what a snapshot is likely to take. */
  private static final int PART_RESERVED = 4;

  /** A follower that has not moved for so long is not waited for. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final RecordLog log;
  private final HeldPartitions held;
  private final EngineLimits.Journal limits;
  private final LongSupplier usableBytes;
  private final LongSupplier nowNanos;
  private final SnapshotRequest snapshots;
  private final LongAdder failures = new LongAdder();
  private volatile boolean failing;

  /** Whether the next segment found no room on the disk. */
  private volatile boolean full;

  /** Whether a snapshot of what is held now would find no room, so that nothing could be freed. */
  private volatile boolean cramped;

  private long followed;
  private long followedSinceNanos;
  private volatile boolean farAhead;

  /** How a snapshot is asked for. */
  interface SnapshotRequest {
    /** One is due, to make room. */
    void urge();

    /** Whether one is being written, so that it takes room already. */
    boolean underWay();

    /** Whether the latest one found no room. */
    boolean lackRoom();

    /** The most that the next one is likely to take, in bytes. */
    long likelyBytes();
  }

  /**
   * Keeps room for a log.
   *
   * @param usableBytes what may still be written to its disk
   * @param nowNanos monotonic time
   */
  Housekeeping(
      RecordLog log,
      HeldPartitions held,
      EngineLimits.Journal limits,
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

  /** Whether there is room on the disk for more than what is under way. Any thread. */
  boolean hasRoom() {
    return !full && !cramped;
  }

  /**
   * Whether who follows the journal, and goes on doing so, has so much to read yet that starts wait
   * for it. Any thread.
   */
  boolean isFarAhead() {
    return farAhead;
  }

  /** Whether the latest run did all it could, so that a further one need not wait. Any thread. */
  boolean isWell() {
    return !full && !failing;
  }

  /** Chores that failed so far, other than for want of room. Any thread. */
  long failures() {
    return failures.sum();
  }

  /** Does every chore once; one that fails keeps no other from its turn. */
  void run() {
    boolean well = attempt("forget partitions that others have taken over", held::settle);
    well &= attempt("look how far who follows it is", this::lookAtFollower);
    well &= attempt("delete what snapshots have replaced", this::deleteObsolete);
    well &= makeSpare();
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
   * Without a snapshot no segment is ever given up, so that what has no room for one must not grow.
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

  /** Who follows the log must not keep the engine from work. */
  private void deleteObsolete() throws IOException {
    boolean nothing = isShort();
    log.deleteObsolete(
        nothing ? 0 : limits.keptLogBytes(), nothing ? 0 : 2L * limits.unreadLogBytes());
  }

  private void lookAtFollower() throws IOException {
    long now = nowNanos.getAsLong();
    long latest = log.followed();
    if (latest != followed) {
      followed = latest;
      followedSinceNanos = now;
    }
    farAhead =
        followed > 0
            && now - followedSinceNanos < PATIENCE_NANOS
            && log.unreadBytes(followed) > limits.unreadLogBytes();
  }

  /** The reserve is for the snapshot that makes room; when there is room it is made up again. */
  private void keepReserve() throws IOException {
    if (snapshots.lackRoom()) {
      if (log.releaseReserve()) {
        LOG.info("gave up the room that was kept for a snapshot, as the disk is full");
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
   * Makes what room there can be before the log is opened for more: a restart must not need what
   * only a running engine can give back.
   */
  void makeRoom() {
    if (makeSpare() && full) {
      attempt("delete what snapshots have replaced", log::deleteObsolete);
      attempt("give up the room that was kept for a snapshot", log::releaseReserve);
      makeSpare();
    }
  }

  private boolean attempt(String what, Chore chore) {
    try {
      chore.run();
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

  /** Makes the next segment unless there is one; returns whether nothing but room was missing. */
  boolean makeSpare() {
    return attempt("make the next segment ahead", this::prepareSpare);
  }

  private void prepareSpare() throws IOException {
    try {
      log.prepareSpare();
      full = false;
    } catch (NoSpaceException e) {
      if (!full) {
        LOG.warn("no room for the next file of the journal: starts are refused until there is");
      }
      full = true;
    }
  }

  @FunctionalInterface
  private interface Chore {
    void run() throws IOException;
  }
}
