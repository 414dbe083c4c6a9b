package dev.pinion.workloads.stub;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;

/**
 * A service with a number of servers, as a queueing station: a call waits for the first free
 * server, in the order of arrival. It only computes when a call will be completed; nothing waits in
 * it. For any thread.
 */
final class ServiceStation {
  /** Result of {@link #doneAfterNanos} for a call that exceeds the queue. */
  static final long REFUSED = -1;

  private final int servers;
  private final int places;
  private final PriorityQueue<Long> freeAtNanos = new PriorityQueue<>();
  private final Deque<Long> startsAtNanos = new ArrayDeque<>();

  /**
   * An idle station.
   *
   * @param servers number of servers, above 0
   * @param places calls that may wait
   */
  ServiceStation(int servers, int places) {
    this.servers = servers;
    this.places = places;
  }

  /**
   * Adds a call.
   *
   * @param nowNanos time of its arrival; decreases only as far as concurrent calls of other threads
   *     overlap
   * @param serviceNanos its service time
   * @return time until its completion, or {@link #REFUSED}
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
