package dev.pinion.broker.model;

/**
 * Weights of a class under {@link Objective#SAW}; each at least 0.
 *
 * @param response weight of time
 * @param reliability weight of the logarithm of reliability
 * @param cost weight of cost
 */
public record SawWeights(double response, double reliability, double cost) {
  /** All weights 0. */
  public static final SawWeights NONE = new SawWeights(0, 0, 0);
}
