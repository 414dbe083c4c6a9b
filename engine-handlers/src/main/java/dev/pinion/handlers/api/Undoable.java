package dev.pinion.handlers.api;

/** A handler whose effect can be undone, as {@link EffectClass#QUASI_ATOMIC} requires. */
public interface Undoable extends Handler {
  /**
   * Undoes the effect of {@link #handle} for a message. Called at most once for each time that
   * {@code handle} ended, in any way, and repeated only when this method itself fails; so it must
   * cope with an effect that never happened.
   *
   * @param message the message as {@code handle} received it
   * @throws Exception when it cannot be undone now; it is repeated, within the limits
   */
  void undo(View message) throws Exception;
}
