package dev.pinion.broker.lp;

import java.time.Duration;

/**
 * Solves linear programs: the port to a library. May take long and may be wrong; callers are {@link
 * GuardedSolver}, which bounds the time, and {@link VerifiedSolver}, which requires proofs.
 */
public interface LpSolver {
  /** Name for messages. */
  String name();

  /**
   * Does the work for which the first call would otherwise wait, such as loading a library. Any
   * thread; repetitions are harmless.
   *
   * @throws IllegalStateException when this solver cannot work on this machine, with the reason
   */
  default void warmUp() {}

  /**
   * Solves a program. One call at a time.
   *
   * @param limit time after which it should stop
   */
  Solution solve(LinearProgram program, Duration limit);
}
