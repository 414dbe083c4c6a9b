package dev.pinion.broker.model;

/** How the mean response time of services called in parallel is predicted. */
public enum ParallelResponse {
  /**
   * By whose success comes first, in order of mean times. From above, where every service succeeds
   * at least every second time.
   */
  FIRST_SUCCESS,

  /** The least of the means: wrong as soon as the fastest one fails. Kept for comparison. */
  MIN
}
