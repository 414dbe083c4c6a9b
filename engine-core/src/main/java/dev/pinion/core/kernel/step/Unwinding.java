package dev.pinion.core.kernel.step;

/**
 * The compensation of what completed in a scope, one task after the other. Its host is the workflow
 * itself, the {@code try} that takes an error, or the fork of which one branch has won.
 */
final class Unwinding {
  final CompensationScope scope;

  /** Whether one of the compensations has failed. */
  boolean failed;

  Unwinding(CompensationScope scope) {
    this.scope = scope;
  }
}
