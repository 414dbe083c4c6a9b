package dev.pinion.broker.model;

/**
 * Weights of a class under {@link Objective#SAW}; each at least 0.
 *
 * @param response weight of time
 * @param reliability weight of the logarithm of reliability
 * @param cost weight of cost
 */
public record Weights(double response, double reliability, double cost) {
  /** All weights 0. */
  public static final Weights NONE = new Weights(0, 0, 0);
}
