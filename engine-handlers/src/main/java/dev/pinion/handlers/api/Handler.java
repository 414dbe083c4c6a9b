package dev.pinion.handlers.api;

/**
 * One step on the way of a message.
 *
 * <p>A handler is used by many threads at once, for different messages. What it keeps between
 * messages it guards itself. It changes nothing that it is given.
 */
public interface Handler extends AutoCloseable {
  /** What this handler reads, writes and promises. Always the same. */
  Declaration declaration();

  /**
   * Handles a message: looks at what it declared to read, and says what changes.
   *
   * @param message what the handler may see of the message
   * @return what is to happen, with changes to what the handler declared to write
   * @throws Exception when the step could not be done; what happens then follows from the
   *     declaration: it may be repeated, undone, skipped, or the message stops with a problem
   */
  Verdict handle(View message) throws Exception;

  /** Gives back what the handler holds, once no message needs it any more. Called once. */
  @Override
  default void close() {}
}
