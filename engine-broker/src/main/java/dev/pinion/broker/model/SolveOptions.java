package dev.pinion.broker.model;

/**
 * Options of a solution.
 *
 * @param maxAlternates most services of an alternate, at least 1; 1: no alternates
 * @param maxParallel most services called in parallel, at least 1; 1: no parallel calls
 * @param parallelResponse prediction of the time of parallel calls
 * @param objective the objective
 * @param mode whether promises may be violated
 * @param penalties costs of violated promises
 */
public record SolveOptions(
    int maxAlternates,
    int maxParallel,
    ParallelResponse parallelResponse,
    Objective objective,
    PromiseMode mode,
    Penalties penalties) {
  /** Default number of services of an alternate, or in parallel: a third gains little. */
  public static final int DEFAULT_SERVICES = 2;

  /** The same with another mode. */
  public SolveOptions withMode(PromiseMode other) {
    return new SolveOptions(
        maxAlternates, maxParallel, parallelResponse, objective, other, penalties);
  }
}
