package dev.pinion.benchmarks.experiment;

import java.util.ArrayList;
import java.util.List;

/**
 * The order in which variants are measured: every variant once a round. Every second round begins
 * one further along the list, and those between have the order before them reversed, so that no
 * variant always follows the same pause or the same neighbour's heat: two have the orders ab, ba,
 * ba, ab, three all six orders.
 */
final class RoundOrder {
  private RoundOrder() {}

  /** Items of a round, counted from 0. */
  static <T> List<T> order(List<T> items, int round) {
    int first = round / 2 % items.size();
    List<T> order = new ArrayList<>(items.subList(first, items.size()));
    order.addAll(items.subList(0, first));
    return round % 2 == 0 ? order : order.reversed();
  }
}
