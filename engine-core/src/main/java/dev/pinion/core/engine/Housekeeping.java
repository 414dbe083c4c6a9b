package dev.pinion.core.engine;

import dev.pinion.core.journal.store.NoSpaceException;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.model.EngineLimits;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps room for a journal: deletes what nobody needs and makes the next segment ahead. No record
 * waits for it, so whatever goes wrong here is logged, counted and tried again; the journal goes on
 * as long as its current segment has room. One thread, but for the methods that say otherwise.
 */
final class Housekeeping {
  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

  private final RecordLog log;
  private final HeldPartitions held;
  private final EngineLimits.Journal limits;
  private final LongAdder failures = new LongAdder();
  private volatile boolean failing;

  /** Whether the next segment found no room on the disk. */
  private volatile boolean full;

  Housekeeping(RecordLog log, HeldPartitions held, EngineLimits.Journal limits) {
    this.log = log;
    this.held = held;
    this.limits = limits;
  }

  /** Whether there is room on the disk for more than what is under way. Any thread. */
  boolean hasRoom() {
    return !full;
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
    // who follows the log must not keep the engine from work
    well &=
        attempt(
            "delete what snapshots have replaced",
            () -> log.deleteObsolete(full ? 0 : limits.keptLogBytes()));
    well &= makeSpare();
    if (well && failing) {
      LOG.info("the housekeeping of the journal succeeds again");
    }
    failing = !well;
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
