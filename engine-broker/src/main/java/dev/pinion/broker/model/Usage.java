package dev.pinion.broker.model;

import java.util.List;
import java.util.OptionalDouble;

/**
 * How the requests of a class go through one node of a process, where that differs from the
 * process.
 *
 * @param probabilities of the children of a choice; empty when they do not differ
 * @param iterations expected rounds of a loop
 * @param gamma calibration of a flow, above 0: what is measured may fall below 1 by chance
 */
public record Usage(List<Double> probabilities, OptionalDouble iterations, OptionalDouble gamma) {
  /** Differs in nothing. */
  public static final Usage SAME =
      new Usage(List.of(), OptionalDouble.empty(), OptionalDouble.empty());

  /** Copies the list. */
  public Usage {
    probabilities = List.copyOf(probabilities);
  }
}
