package dev.pinion.handlers.run;

import dev.pinion.handlers.api.Message;

/**
 * Where messages enter a chain and leave it. For use by any thread.
 *
 * <p>Whoever brings a message has a context of its own (a request, a connection). The gateway sets
 * it aside while handlers run, which never see it, and gives it back together with the outcome.
 */
public interface Gateway {
  /**
   * Takes a message. Never blocks: when there is no room the outcome is {@link Outcome.Overloaded},
   * at once.
   *
   * @param message what is to be handled
   * @param context what the caller wants back; bounded with the messages under way
   * @param exit told the outcome exactly once, on this thread before this method returns or on a
   *     handler thread later; it must not block and not throw
   */
  <C> void enter(Message message, C context, Exit<? super C> exit);

  /** Who gets a message back. */
  interface Exit<C> {
    /** The message has been handled. */
    void leave(C context, Outcome outcome);
  }
}
