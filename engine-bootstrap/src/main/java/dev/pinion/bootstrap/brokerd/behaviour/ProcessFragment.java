package dev.pinion.bootstrap.brokerd.behaviour;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.core.graph.FlowDirective;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a process: its invocations, and the destinations of requests that entered it.
 *
 * @param tree invocations; {@link ProcessTrees#NOTHING} for none
 * @param to probabilities by place, with the sum 1 unless requests stay in it forever: an index in
 *     a block, a {@link FlowDirective} constant, or {@link #RAISE}
 */
record ProcessFragment(ProcessNode tree, Map<Integer, Double> to) {
  /** Destination of an error: its handler. */
  static final int RAISE = -4;

  /** Copies the map, in its order. */
  ProcessFragment {
    to = new LinkedHashMap<>(to);
  }

  /** A part that invokes nothing, and leads to one place. */
  static ProcessFragment leadingTo(int place) {
    return new ProcessFragment(ProcessTrees.NOTHING, Map.of(place, 1.0));
  }

  /** Share of the requests that goes to some places. */
  double share(int... places) {
    double sum = 0;
    for (int place : places) {
      sum += to.getOrDefault(place, 0.0);
    }
    return sum;
  }

  /** Adds to the share of a place. */
  static void add(Map<Integer, Double> to, int place, double probability) {
    if (probability > 0) {
      to.merge(place, probability, Double::sum);
    }
  }

  /**
   * Destinations of requests that enter this part, a block, repeatedly.
   *
   * @param rounds number of rounds, unless they leave before
   * @param next destination afterwards
   */
  Map<Integer, Double> repeated(double rounds, int next) {
    double stays = share(FlowDirective.EXIT);
    double left = 1 - stays;
    Map<Integer, Double> places = new LinkedHashMap<>();
    double all = Math.pow(stays, rounds);
    add(places, next, all);
    if (left > 0) {
      add(places, FlowDirective.END, (1 - all) * share(FlowDirective.END) / left);
      add(places, RAISE, (1 - all) * share(RAISE) / left);
    }
    return places;
  }

  /** Expected number of begun rounds, among those of requests that never leave before. */
  double begun(double rounds) {
    double stays = share(FlowDirective.EXIT);
    return stays >= 1 ? rounds : (1 - Math.pow(stays, rounds)) / (1 - stays);
  }

  /** Several parts side by side, all of which have to end. */
  static Map<Integer, Double> joined(List<ProcessFragment> parts, int next) {
    double all = 1;
    double calm = 1;
    for (ProcessFragment each : parts) {
      all *= 1 - each.share(FlowDirective.END, RAISE);
      calm *= 1 - each.share(RAISE);
    }
    Map<Integer, Double> places = new LinkedHashMap<>();
    add(places, next, all);
    add(places, RAISE, 1 - calm);
    add(places, FlowDirective.END, calm - all);
    return places;
  }
}
