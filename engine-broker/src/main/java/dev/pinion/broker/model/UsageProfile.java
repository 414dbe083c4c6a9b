package dev.pinion.broker.model;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Paths of the requests of a class through one node of a process, where they differ from the
 * process.
 *
 * @param probabilities probabilities of the children of a choice; empty when they do not differ
 * @param iterations expected rounds of a loop
 * @param gamma calibration of a flow, above 0: a measurement may fall below 1 by chance
 */
public record UsageProfile(
    List<Double> probabilities, OptionalDouble iterations, OptionalDouble gamma) {
  /** No difference. */
  public static final UsageProfile SAME =
      new UsageProfile(List.of(), OptionalDouble.empty(), OptionalDouble.empty());

  /** Copies the list. */
  public UsageProfile {
    probabilities = List.copyOf(probabilities);
  }
}
