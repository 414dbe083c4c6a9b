package dev.pinion.core.kernel;

/**
 * Leaves a phase whose evaluation was handed to another thread; the phase is run again when the
 * result is there.
 */
final class Suspended extends RuntimeException {
  @SuppressWarnings("StaticAssignmentOfThrowable") // holds neither a stack trace nor a cause
  static final Suspended INSTANCE = new Suspended();

  private Suspended() {
    super("waits for an evaluation", null, false, false);
  }
}
