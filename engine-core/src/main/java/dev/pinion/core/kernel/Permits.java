package dev.pinion.core.kernel;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Bounds what is under way outside the kernel, so that the lanes out and back never overflow and
 * what is under way fits the heap. Who finds no permit waits here, first come, first served.
 *
 * @param <T> what waits
 */
final class Permits<T> {
  private final int bound;
  private final BooleanSupplier hasRoom;
  private final Predicate<T> stillWanted;
  private final Consumer<T> send;
  private final Deque<T> waiting = new ArrayDeque<>();
  private int used;
  private int withdrawn;

  /**
   * All permits free.
   *
   * @param bound number of permits
   * @param hasRoom whether there is room for more than one permit
   * @param stillWanted whether a request that waits was not withdrawn
   * @param send does what a permit was taken for
   */
  Permits(int bound, BooleanSupplier hasRoom, Predicate<T> stillWanted, Consumer<T> send) {
    this.bound = bound;
    this.hasRoom = hasRoom;
    this.stillWanted = stillWanted;
    this.send = send;
  }

  /** Takes a permit and sends, or waits for one. */
  void request(T request) {
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

  /** Gives a permit back, to the first who waits and is still wanted. */
  void release() {
    if (used == 0) {
      throw new IllegalStateException(
          "expected a completion for each permit taken, but none is taken: one was reported twice");
    }
    used--;
    grant();
  }

  /** Gives free permits to those who wait and are still wanted; returns how many. */
  int grant() {
    int granted = 0;
    while (!waiting.isEmpty() && isFree()) {
      T next = waiting.remove();
      if (stillWanted.test(next)) {
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
   * Takes note that a request that waits is no longer wanted. When most of those that wait are not,
   * they are let go, so that what nobody wants takes no more memory than what somebody does.
   */
  void withdraw() {
    withdrawn++;
    if (withdrawn > waiting.size() / 2) {
      waiting.removeIf(stillWanted.negate());
      withdrawn = 0;
    }
  }

  /** Whether it is room that somebody waits for, which may come from elsewhere, and no permit. */
  boolean waitsForRoom() {
    return !waiting.isEmpty() && used < bound;
  }

  /** Permits taken. */
  int used() {
    return used;
  }

  /** Requests that wait for a permit, those no longer wanted included. */
  int waiting() {
    return waiting.size();
  }
}
