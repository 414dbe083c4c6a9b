package dev.pinion.benchmarks.experiment;

/** One of the things that an experiment measures side by side. Used by one thread. */
public interface Variant {
  /** What the variant is called in tables and JSON; unique within its comparison. */
  String name();

  /**
   * Brings the variant to its steady state. Called once, before the first round.
   *
   * @throws MeasurementException when it does not get there
   */
  void warmUp() throws MeasurementException, InterruptedException;

  /**
   * Measures once.
   *
   * @return the same metrics in every round
   * @throws MeasurementException when anything went wrong that makes the numbers worthless, such as
   *     a single wrong answer
   */
  Sample measure() throws MeasurementException, InterruptedException;
}
