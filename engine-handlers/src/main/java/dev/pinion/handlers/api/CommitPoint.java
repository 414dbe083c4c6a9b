package dev.pinion.handlers.api;

/**
 * The partner of a handler with {@link EffectClass#TRANSACTIONAL}: its {@link #handle} commits the
 * effect that the handler prepared for the same message.
 */
public interface CommitPoint extends Handler {
  /**
   * Rolls back the prepared effect of the earlier handler, because the message stops before the
   * commit. It must cope with an effect that was never prepared.
   *
   * @param message the message as it was when it stopped
   * @throws Exception when the rollback fails now; it is repeated, within the limits
   */
  void rollBack(View message) throws Exception;
}
