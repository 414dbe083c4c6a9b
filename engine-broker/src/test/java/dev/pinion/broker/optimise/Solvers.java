package dev.pinion.broker.optimise;

import dev.pinion.broker.lp.LpSolver;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.core.model.Clock;
import java.time.Duration;
import java.util.List;

/** Real solvers, for tests. */
public final class Solvers {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Solvers() {}

  /** Both algorithms, one after the other. */
  public static VerifiedSolver both() {
    return VerifiedSolver.ofOrTools(Clock.system(), LIMIT);
  }

  /** A chain of a test's solvers. */
  public static VerifiedSolver verified(LpSolver... solvers) {
    return new VerifiedSolver(List.of(solvers), Clock.system(), LIMIT);
  }
}
