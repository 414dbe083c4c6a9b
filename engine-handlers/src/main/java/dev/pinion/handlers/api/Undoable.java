package dev.pinion.handlers.api;

/** A handler whose effect can be taken back: what {@link EffectClass#QUASI_ATOMIC} asks for. */
public interface Undoable extends Handler {
  /**
   * Takes back what {@link #handle} did for a message. Called at most once for each time that
   * {@code handle} ended, in any way, and repeated only when this method itself fails; so it must
   * cope with an effect that was never made.
   *
   * @param message the message as {@code handle} saw it
   * @throws Exception when it cannot be taken back now; it is tried again, within the limits
   */
  void undo(View message) throws Exception;
}
