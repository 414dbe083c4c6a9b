package dev.pinion.core.kernel.step.compensation;

/**
 * The compensation of what completed in a scope, one task after the other. Its host is the workflow
 * itself, the {@code try} that takes an error, or the fork of which one branch has won.
 */
public final class Unwinding {
  private final CompensationScope scope;
  private boolean failed;

  /** The compensation of a scope. */
  public Unwinding(CompensationScope scope) {
    this.scope = scope;
  }

  /** The scope that is compensated. */
  public CompensationScope scope() {
    return scope;
  }

  /** Whether one of the compensations has failed. */
  public boolean hasFailed() {
    return failed;
  }

  /** Records that a compensation has failed. */
  public void fail() {
    failed = true;
  }
}
