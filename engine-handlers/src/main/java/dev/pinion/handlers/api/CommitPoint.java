package dev.pinion.handlers.api;

/**
 * The partner of a handler with {@link EffectClass#TRANSACTIONAL}: its {@link #handle} commits what
 * that handler prepared for the same message.
 */
public interface CommitPoint extends Handler {
  /**
   * Rolls back what the handler before prepared, because the message stops before it was committed.
   * It must cope with nothing having been prepared.
   *
   * @param message the message as it was when it stopped
   * @throws Exception when it cannot be rolled back now; it is tried again, within the limits
   */
  void rollBack(View message) throws Exception;
}
