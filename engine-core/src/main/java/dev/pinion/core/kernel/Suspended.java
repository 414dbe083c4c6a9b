package dev.pinion.core.kernel;

/**
 * Control flow out of a phase whose evaluation was handed to another thread; the phase runs again
 * when the result arrives.
 */
final class Suspended extends RuntimeException {
  @SuppressWarnings("StaticAssignmentOfThrowable") // holds neither a stack trace nor a cause
  static final Suspended INSTANCE = new Suspended();

  private Suspended() {
    super("waits for an evaluation", null, false, false);
  }
}
