package dev.pinion.broker.monitor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The tallies of a recent period, by the second. One thread at a time. */
final class SlidingWindow {
  private final int seconds;
  private final Deque<Second> slots = new ArrayDeque<>();
  private double firstSeconds = Double.NaN;

  /**
   * The observations of a second.
   *
   * @param second on a monotonic scale
   */
  record Second(long second, CallStatistics tally) {}

  /**
   * An empty window.
   *
   * @param seconds its length
   */
  SlidingWindow(int seconds) {
    this.seconds = seconds;
  }

  void add(CallStatistics callStatistics, double nowSeconds) {
    if (Double.isNaN(firstSeconds)) {
      firstSeconds = nowSeconds;
    }
    long second = (long) Math.floor(nowSeconds);
    Second last = slots.peekLast();
    if (last != null && last.second() == second) {
      slots.removeLast();
      slots.addLast(new Second(second, last.tally().plus(callStatistics)));
    } else {
      slots.addLast(new Second(second, callStatistics));
    }
    forget(nowSeconds);
  }

  private void forget(double nowSeconds) {
    while (!slots.isEmpty() && slots.getFirst().second() <= nowSeconds - seconds) {
      slots.removeFirst();
    }
  }

  /** The sum of the last seconds. */
  CallStatistics sum(double nowSeconds) {
    forget(nowSeconds);
    return slots.stream().map(Second::tally).reduce(CallStatistics.NONE, CallStatistics::plus);
  }

  /** The observations of the last seconds, the oldest first. */
  List<Second> seconds(double nowSeconds) {
    forget(nowSeconds);
    return new ArrayList<>(slots);
  }

  /** Seconds with observations: fewer than its length while it is new. */
  double span(double nowSeconds) {
    return Double.isNaN(firstSeconds) ? 0 : Math.min(seconds, nowSeconds - firstSeconds + 1);
  }
}
