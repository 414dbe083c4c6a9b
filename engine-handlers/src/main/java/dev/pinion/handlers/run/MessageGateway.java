package dev.pinion.handlers.run;

import dev.pinion.handlers.api.Message;

/**
 * Entrance and exit of messages of a chain. For use by any thread.
 *
 * <p>The caller has its own context (a request, a connection). The gateway keeps it while handlers
 * run, which never see it, and returns it together with the outcome.
 */
public interface MessageGateway {
  /**
   * Takes a message. Never blocks: when there is no room the outcome is {@link Outcome.Overloaded},
   * at once.
   *
   * @param message the message
   * @param context context that is returned to the caller; bounded with the messages under way
   * @param completion receives the outcome exactly once, on this thread before this method returns
   *     or on a handler thread later; it must not block and not throw
   */
  <C> void enter(Message message, C context, Completion<? super C> completion);

  /** Receives a message at its end. */
  interface Completion<C> {
    /** The message has been handled. */
    void complete(C context, Outcome outcome);
  }
}
