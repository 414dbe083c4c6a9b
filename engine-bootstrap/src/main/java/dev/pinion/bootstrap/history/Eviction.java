package dev.pinion.bootstrap.history;

import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evicts the instances that ended first when the file of the history has no room to grow on its
 * volume: new data reuses their pages. One thread.
 */
final class Eviction {
  private static final Logger LOG = LoggerFactory.getLogger(Eviction.class);

  /** Least free room in the file for the next batch. */
  static final long LEAST_FREE_BYTES = 4L << 20;

  /** Bytes that one transaction frees, about: it needs room beside the file until it ends. */
  private static final long FREED_AT_ONCE = LEAST_FREE_BYTES / 2;

  /** Most instances deleted in one transaction, however small they are. */
  private static final int AT_ONCE = 256;

  /** Time for which the last eviction is reported. */
  private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final HistoryRoom room;
  private final Clock clock;
  private long evicted;
  private long lastNanos;

  /** Whether room is being made, which continues until twice the least is free. */
  private boolean making;

  Eviction(HistoryRoom room, Clock clock) {
    this.room = room;
    this.clock = clock;
  }

  /**
   * Limits the size of the file to the room on its volume.
   *
   * @return whether the file has too little free room
   */
  boolean isShort(Handle open) {
    long page = pragma(open, "page_size");
    long wanted = Math.clamp(room.maxBytes() / page, 1, Integer.MAX_VALUE);
    long most = pragma(open, "max_page_count = " + wanted); // never less than the present pages
    long free = (most - pragma(open, "page_count") + pragma(open, "freelist_count")) * page;
    making = free < (making ? 2 : 1) * LEAST_FREE_BYTES;
    return making;
  }

  private static long pragma(Handle open, String pragma) {
    return open.select("PRAGMA " + pragma).mapTo(Long.class).one();
  }

  /**
   * Deletes some of the instances that ended first.
   *
   * @return number of deleted instances; 0 when none is left
   */
  int evict(Handle open) {
    long enough = pragma(open, "freelist_count") + FREED_AT_ONCE / pragma(open, "page_size");
    int deleted = 0;
    while (deleted < AT_ONCE
        && pragma(open, "freelist_count") < enough
        && HistoryRetention.deleteOldest(open)) {
      deleted++;
    }
    if (deleted > 0) {
      if (evicted == 0) {
        LOG.warn("{}", told());
      }
      evicted += deleted;
      lastNanos = clock.nanoTime();
    }
    return deleted;
  }

  /** Whether only the limit of the file is reached, not the end of the volume. */
  boolean isBoundByPages() {
    return room.hasMore();
  }

  /** Releases the room reserved for deletions; returns whether there was any. */
  boolean releaseReserve() {
    try {
      boolean released = room.releaseReserve();
      if (released) {
        LOG.info("the volume of the history is full: its reserve is released");
      }
      return released;
    } catch (IOException e) {
      LOG.debug("the reserve of the history", e);
      return false;
    }
  }

  /** Reserves room for deletions on a full volume. */
  void keepReserve() {
    try {
      room.takeReserve();
    } catch (IOException e) {
      LOG.debug("the reserve of the history", e);
    }
  }

  /** Message about the present eviction; null for none. */
  @Nullable String trouble() {
    return evicted > 0 && clock.nanoTime() - lastNanos < TOLD_NANOS ? told() : null;
  }

  private static String told() {
    return "the volume has no more room for the history: instances that ended first are given up"
        + " sooner than history.retainDays and history.retainInstances say; make room, or lower"
        + " history.maxValueChars";
  }
}
