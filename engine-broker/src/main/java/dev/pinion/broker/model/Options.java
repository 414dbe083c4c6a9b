package dev.pinion.broker.model;

/**
 * How a problem is to be solved.
 *
 * @param maxAlternates most services of an alternate, at least 1; 1: no alternates
 * @param maxParallel most services called in parallel, at least 1; 1: no parallel calls
 * @param parallelResponse how the time of parallel calls is predicted
 * @param objective what is maximised
 * @param mode whether promises may be broken
 * @param penalties what broken promises cost
 */
public record Options(
    int maxAlternates,
    int maxParallel,
    ParallelResponse parallelResponse,
    Objective objective,
    Mode mode,
    Penalties penalties) {
  /**
   * Services of an alternate, or called in parallel, unless said otherwise: a third gains little.
   */
  public static final int DEFAULT_SERVICES = 2;

  /** The same with another mode. */
  public Options withMode(Mode other) {
    return new Options(maxAlternates, maxParallel, parallelResponse, objective, other, penalties);
  }
}
