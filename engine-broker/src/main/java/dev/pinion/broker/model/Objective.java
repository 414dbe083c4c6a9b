package dev.pinion.broker.model;

/** The objective of a solution, which is maximised. */
public enum Objective {
  /** Earnings less costs, per second. */
  PROFIT,

  /**
   * Simple additive weighting: time, logarithm of reliability and cost of each class, each between
   * the worst and the best value of the process, by the weights of the class.
   */
  SAW
}
