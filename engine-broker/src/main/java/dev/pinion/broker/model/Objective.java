package dev.pinion.broker.model;

/** What is maximised. */
public enum Objective {
  /** Earnings less costs, per second. */
  PROFIT,

  /**
   * Simple additive weighting: time, logarithm of reliability and cost of each class, each between
   * the worst and the best that the process can do, by the weights of the class.
   */
  SAW
}
