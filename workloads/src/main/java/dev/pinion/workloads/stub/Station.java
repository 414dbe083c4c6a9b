package dev.pinion.workloads.stub;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;

/**
 * A service with so many servers, as a queueing station: a call waits for the first server that is
 * free, in the order of arrival. It only reckons when a call will be done; nothing waits in it.
 * Used by any thread.
 */
final class Station {
  /** What {@link #doneAfterNanos} answers for a call that finds no place to wait. */
  static final long REFUSED = -1;

  private final int servers;
  private final int places;
  private final PriorityQueue<Long> freeAtNanos = new PriorityQueue<>();
  private final Deque<Long> startsAtNanos = new ArrayDeque<>();

  /**
   * A station that is idle.
   *
   * @param servers calls that are served at the same time, above 0
   * @param places calls that may wait
   */
  Station(int servers, int places) {
    this.servers = servers;
    this.places = places;
  }

  /**
   * Takes a call.
   *
   * @param nowNanos the time of its arrival; never goes back by more than calls of other threads do
   * @param serviceNanos how long its server is busy with it
   * @return the time until it is done, or {@link #REFUSED}
   */
  synchronized long doneAfterNanos(long nowNanos, long serviceNanos) {
    while (!freeAtNanos.isEmpty() && freeAtNanos.peek() - nowNanos <= 0) {
      freeAtNanos.remove();
    }
    while (!startsAtNanos.isEmpty() && startsAtNanos.peek() - nowNanos <= 0) {
      startsAtNanos.remove();
    }
    boolean waits = freeAtNanos.size() >= servers;
    if (waits && startsAtNanos.size() >= places) {
      return REFUSED;
    }
    long startNanos = waits ? freeAtNanos.remove() : nowNanos;
    if (waits) {
      startsAtNanos.add(startNanos);
    }
    freeAtNanos.add(startNanos + serviceNanos);
    return startNanos + serviceNanos - nowNanos;
  }
}
