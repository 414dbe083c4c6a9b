package dev.pinion.broker.model;

/** Prediction of the mean response time of services called in parallel. */
public enum ParallelResponse {
  /**
   * The first success, in order of mean times. An upper bound, if every service succeeds at least
   * every second time.
   */
  FIRST_SUCCESS,

  /** The least of the means: wrong as soon as the fastest one fails. Kept for comparison. */
  MIN
}
