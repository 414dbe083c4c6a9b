package dev.pinion.broker.lp;

import java.time.Duration;

/**
 * Solves linear programs: the port to a library. May take long and may be wrong; callers are {@link
 * GuardedSolver}, which bounds the time, and {@link VerifiedSolver}, which believes nothing.
 */
public interface LpSolver {
  /** For messages. */
  String name();

  /**
   * Does what the first call would otherwise have to wait for, such as loading a library. Any
   * thread; more than once does no harm.
   *
   * @throws IllegalStateException when this solver cannot work on this machine, with the reason
   */
  default void warmUp() {}

  /**
   * Solves a program. One call at a time.
   *
   * @param limit the time after which it should give up
   */
  Solution solve(LinearProgram program, Duration limit);
}
