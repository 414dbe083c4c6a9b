package dev.pinion.handlers.api;

/**
 * One step on the way of a message.
 *
 * <p>A handler is used by many threads at once, for different messages. It guards any state that it
 * keeps between messages. It does not modify its arguments.
 */
public interface Handler extends AutoCloseable {
  /** Declaration of this handler. Always the same. */
  Declaration declaration();

  /**
   * Handles a message: reads its declared slots and returns changes.
   *
   * @param message the visible part of the message
   * @return the verdict, with changes to declared slots
   * @throws Exception when the step failed; the consequence follows from the declaration: it may be
   *     repeated, undone, skipped, or the message stops with a problem
   */
  Verdict handle(View message) throws Exception;

  /** Releases the resources of the handler when no message needs it any more. Called once. */
  @Override
  default void close() {}
}
