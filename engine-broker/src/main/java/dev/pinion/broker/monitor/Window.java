package dev.pinion.broker.monitor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The tallies of a recent period, by the second. One thread at a time. */
final class Window {
  private final int seconds;
  private final Deque<Slot> slots = new ArrayDeque<>();
  private double firstSeconds = Double.NaN;

  /**
   * The observations of a second.
   *
   * @param second on a monotonic scale
   */
  record Slot(long second, Tally tally) {}

  /**
   * An empty window.
   *
   * @param seconds its length
   */
  Window(int seconds) {
    this.seconds = seconds;
  }

  void add(Tally tally, double nowSeconds) {
    if (Double.isNaN(firstSeconds)) {
      firstSeconds = nowSeconds;
    }
    long second = (long) Math.floor(nowSeconds);
    Slot last = slots.peekLast();
    if (last != null && last.second() == second) {
      slots.removeLast();
      slots.addLast(new Slot(second, last.tally().plus(tally)));
    } else {
      slots.addLast(new Slot(second, tally));
    }
    forget(nowSeconds);
  }

  private void forget(double nowSeconds) {
    while (!slots.isEmpty() && slots.getFirst().second() <= nowSeconds - seconds) {
      slots.removeFirst();
    }
  }

  /** The sum of the last seconds. */
  Tally sum(double nowSeconds) {
    forget(nowSeconds);
    return slots.stream().map(Slot::tally).reduce(Tally.NONE, Tally::plus);
  }

  /** The observations of the last seconds, the oldest first. */
  List<Slot> slots(double nowSeconds) {
    forget(nowSeconds);
    return new ArrayList<>(slots);
  }

  /** Seconds with observations: fewer than its length while it is new. */
  double span(double nowSeconds) {
    return Double.isNaN(firstSeconds) ? 0 : Math.min(seconds, nowSeconds - firstSeconds + 1);
  }
}
