package dev.pinion.benchmarks.experiment;

import java.util.ArrayList;
import java.util.List;

/**
 * The order in which variants are measured: every variant once a round, each round starting one
 * further along the list, so that no variant always follows the same pause or the same neighbour's
 * heat.
 */
final class Rounds {
  private Rounds() {}

  /** The items of a round, counted from 0. */
  static <T> List<T> order(List<T> items, int round) {
    int first = round % items.size();
    List<T> order = new ArrayList<>(items.subList(first, items.size()));
    order.addAll(items.subList(0, first));
    return order;
  }
}
