package dev.pinion.handlers.remote;

import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The current and the remembered attempts of a host, for its credit and the detection of
 * duplicates. Guarded by itself.
 *
 * <p>An attempt that must not run twice is remembered for as long as its requester may send it
 * again. When that leaves no room, further ones are refused: nothing is forgotten early.
 */
final class AttemptTable {
  private static final int LOOKED_AT = 64;

  private final RemoteLimits limits;
  private final long keepNanos;
  private final Map<HostAttempt.AttemptKey, TableEntry> attempts = new LinkedHashMap<>();
  private int inFlight;
  private long bytes;

  AttemptTable(RemoteLimits limits, RemoteTimeouts times) {
    this.limits = limits;
    this.keepNanos = times.late().toNanos();
  }

  /** The attempt of a key, if it is known, or null. */
  synchronized @Nullable HostAttempt known(HostAttempt.AttemptKey attemptKey) {
    TableEntry tableEntry = attempts.get(attemptKey);
    return tableEntry == null ? null : tableEntry.hostAttempt;
  }

  /** Whether there is room for one more. */
  synchronized boolean hasRoom(long nowNanos) {
    if (inFlight >= limits.hostWindow()) {
      return false;
    }
    Iterator<TableEntry> oldest = attempts.values().iterator();
    int looked = 0;
    while (looked++ < LOOKED_AT && oldest.hasNext() && (isFull() || looked == 1)) {
      TableEntry each = oldest.next();
      if (each.isEvictable(nowNanos, isFull())) {
        oldest.remove();
        bytes -= each.bytes;
        looked = 0;
      }
    }
    return !isFull();
  }

  private boolean isFull() {
    return attempts.size() >= limits.hostMemory() || bytes > limits.hostMemoryBytes();
  }

  /**
   * Adds an attempt; returns the one that is known already, the attempt itself without room, or
   * null when it was added.
   */
  synchronized @Nullable HostAttempt admit(HostAttempt hostAttempt, long nowNanos) {
    HostAttempt known = known(hostAttempt.key());
    if (known != null) {
      return known;
    }
    if (!hasRoom(nowNanos)) {
      return hostAttempt;
    }
    TableEntry entry = new TableEntry(hostAttempt, hostAttempt.deadlineNanos() + keepNanos);
    attempts.put(hostAttempt.key(), entry);
    inFlight++;
    bytes += entry.bytes;
    return null;
  }

  /** Records the end of an attempt, with or without an answer. */
  synchronized void complete(HostAttempt hostAttempt, boolean repeatable) {
    TableEntry tableEntry = attempts.get(hostAttempt.key());
    if (tableEntry == null || tableEntry.hostAttempt != hostAttempt || tableEntry.ended) {
      return; // forgotten, and perhaps begun again since
    }
    inFlight--;
    byte[] answer = hostAttempt.answer();
    tableEntry.ended = true;
    tableEntry.repeatable = repeatable;
    bytes -= tableEntry.bytes;
    tableEntry.bytes = answer == null ? 0 : answer.length;
    bytes += tableEntry.bytes;
    hostAttempt.releasePayload();
  }

  /** Forgets an attempt that has not begun, so that it may come again. */
  synchronized void forget(HostAttempt hostAttempt) {
    TableEntry tableEntry = attempts.get(hostAttempt.key());
    if (tableEntry != null && tableEntry.hostAttempt == hostAttempt && !tableEntry.ended) {
      attempts.remove(hostAttempt.key());
      inFlight--;
      bytes -= tableEntry.bytes;
    }
  }

  /** Attempts that have not ended. */
  synchronized List<HostAttempt> underWay() {
    List<HostAttempt> all = new ArrayList<>();
    if (inFlight > 0) {
      for (TableEntry each : attempts.values()) {
        if (!each.ended) {
          all.add(each.hostAttempt);
        }
      }
    }
    return all;
  }

  synchronized int inFlight() {
    return inFlight;
  }

  synchronized int size() {
    return attempts.size();
  }

  private static final class TableEntry {
    private final HostAttempt hostAttempt;
    private final long keepUntilNanos;
    private boolean ended;
    private boolean repeatable;
    private long bytes;

    TableEntry(HostAttempt hostAttempt, long keepUntilNanos) {
      this.hostAttempt = hostAttempt;
      this.keepUntilNanos = keepUntilNanos;
      this.bytes = hostAttempt.run().task().size();
    }

    boolean isEvictable(long nowNanos, boolean full) {
      return ended && ((full && repeatable) || nowNanos - keepUntilNanos >= 0);
    }
  }
}
