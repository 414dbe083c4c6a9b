package dev.pinion.handlers.remote;

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
final class AttemptWindow {
  private static final int LOOKED_AT = 64;

  private final RemoteLimits limits;
  private final long keepNanos;
  private final Map<Attempt.Key, Remembered> attempts = new LinkedHashMap<>();
  private int inFlight;
  private long bytes;

  AttemptWindow(RemoteLimits limits, RemoteTimes times) {
    this.limits = limits;
    this.keepNanos = times.late().toNanos();
  }

  /** The attempt of a key, if it is known, or null. */
  synchronized @Nullable Attempt known(Attempt.Key key) {
    Remembered remembered = attempts.get(key);
    return remembered == null ? null : remembered.attempt;
  }

  /** Whether there is room for one more. */
  synchronized boolean hasRoom(long nowNanos) {
    if (inFlight >= limits.hostWindow()) {
      return false;
    }
    Iterator<Remembered> oldest = attempts.values().iterator();
    int looked = 0;
    while (looked++ < LOOKED_AT && oldest.hasNext() && (isFull() || looked == 1)) {
      Remembered each = oldest.next();
      if (each.mayGo(nowNanos, isFull())) {
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
  synchronized @Nullable Attempt enter(Attempt attempt, long nowNanos) {
    Attempt known = known(attempt.key());
    if (known != null) {
      return known;
    }
    if (!hasRoom(nowNanos)) {
      return attempt;
    }
    Remembered entry = new Remembered(attempt, attempt.deadlineNanos() + keepNanos);
    attempts.put(attempt.key(), entry);
    inFlight++;
    bytes += entry.bytes;
    return null;
  }

  /** Records the end of an attempt, with or without an answer. */
  synchronized void leave(Attempt attempt, boolean repeatable) {
    Remembered remembered = attempts.get(attempt.key());
    if (remembered == null || remembered.attempt != attempt || remembered.ended) {
      return; // forgotten, and perhaps begun again since
    }
    inFlight--;
    byte[] answer = attempt.answer();
    remembered.ended = true;
    remembered.repeatable = repeatable;
    bytes -= remembered.bytes;
    remembered.bytes = answer == null ? 0 : answer.length;
    bytes += remembered.bytes;
    attempt.rest();
  }

  /** Forgets an attempt that has not begun, so that it may come again. */
  synchronized void forget(Attempt attempt) {
    Remembered remembered = attempts.get(attempt.key());
    if (remembered != null && remembered.attempt == attempt && !remembered.ended) {
      attempts.remove(attempt.key());
      inFlight--;
      bytes -= remembered.bytes;
    }
  }

  /** Attempts that have not ended. */
  synchronized List<Attempt> underWay() {
    List<Attempt> all = new ArrayList<>();
    if (inFlight > 0) {
      for (Remembered each : attempts.values()) {
        if (!each.ended) {
          all.add(each.attempt);
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

  private static final class Remembered {
    private final Attempt attempt;
    private final long keepUntilNanos;
    private boolean ended;
    private boolean repeatable;
    private long bytes;

    Remembered(Attempt attempt, long keepUntilNanos) {
      this.attempt = attempt;
      this.keepUntilNanos = keepUntilNanos;
      this.bytes = attempt.run().task().size();
    }

    boolean mayGo(long nowNanos, boolean full) {
      return ended && ((full && repeatable) || nowNanos - keepUntilNanos >= 0);
    }
  }
}
