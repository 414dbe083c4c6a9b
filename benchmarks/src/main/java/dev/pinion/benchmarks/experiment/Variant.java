package dev.pinion.benchmarks.experiment;

/** A subject that an experiment measures beside others. Used by one thread. */
public interface Variant {
  /** Name of the variant in tables and JSON; unique within its comparison. */
  String name();

  /**
   * Brings the variant to its steady state. Called once, before the first round.
   *
   * @throws MeasurementException when it does not reach the state
   */
  void warmUp() throws MeasurementException, InterruptedException;

  /**
   * Measures once.
   *
   * @return the same metrics in every round
   * @throws MeasurementException when the numbers are invalid, for instance because of a single
   *     wrong response
   */
  Sample measure() throws MeasurementException, InterruptedException;
}
