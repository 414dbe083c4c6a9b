package dev.pinion.core.kernel.output;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Bounds the requests in progress outside the kernel, so that the lanes out and back never overflow
 * and the requests fit the heap. Requests without a permit wait here, first come, first served.
 *
 * @param <T> type of the requests
 */
public final class Permits<T> {
  private final int bound;
  private final BooleanSupplier hasRoom;
  private final Predicate<T> isStillPending;
  private final Consumer<T> send;
  private final Deque<T> waiting = new ArrayDeque<>();
  private int used;
  private int withdrawn;

  /**
   * All permits free.
   *
   * @param bound number of permits
   * @param hasRoom whether there is room for more than one permit
   * @param stillWanted whether a waiting request was not withdrawn
   * @param send sends a request that has a permit
   */
  public Permits(int bound, BooleanSupplier hasRoom, Predicate<T> stillWanted, Consumer<T> send) {
    this.bound = bound;
    this.hasRoom = hasRoom;
    this.isStillPending = stillWanted;
    this.send = send;
  }

  /** Takes a permit and sends, or waits for one. */
  public void request(T request) {
    if (waiting.isEmpty() && isFree()) {
      used++;
      send.accept(request);
    } else {
      waiting.add(request);
    }
  }

  private boolean isFree() {
    return used < bound && (used == 0 || hasRoom.getAsBoolean());
  }

  /** Returns a permit, to the first waiting request that is still wanted. */
  public void release() {
    if (used == 0) {
      throw new IllegalStateException(
          "expected a completion for each permit taken, but none is taken: one was reported twice");
    }
    used--;
    grant();
  }

  /** Gives free permits to waiting requests that are still wanted; returns how many. */
  public int grant() {
    int granted = 0;
    while (!waiting.isEmpty() && isFree()) {
      T next = waiting.remove();
      if (isStillPending.test(next)) {
        used++;
        granted++;
        send.accept(next);
      }
    }
    if (waiting.isEmpty()) {
      withdrawn = 0;
    }
    return granted;
  }

  /**
   * Counts a waiting request as withdrawn. When most waiting requests are withdrawn, they are
   * removed, so that withdrawn requests never take more memory than wanted ones.
   */
  public void withdraw() {
    withdrawn++;
    if (withdrawn > waiting.size() / 2) {
      waiting.removeIf(isStillPending.negate());
      withdrawn = 0;
    }
  }

  /** Whether a request waits for room, which may be freed elsewhere, and not for a permit. */
  public boolean waitsForRoom() {
    return !waiting.isEmpty() && used < bound;
  }

  /** Number of permits in use. */
  public int used() {
    return used;
  }

  /** Number of requests that wait for a permit, including withdrawn ones. */
  public int waiting() {
    return waiting.size();
  }
}
