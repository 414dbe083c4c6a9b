package dev.pinion.core.spi;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;

/**
 * What happens around a message on its way into a process and out of it: the port of handler
 * chains.
 */
public interface Around {
  /** Every message goes on as it is, at once. */
  Around NOTHING = (point, definition, message, then) -> then.proceed(message);

  /** Where on its way a message is. */
  enum Point {
    /** The input of a start, before the kernel sees it. */
    PROCESS_IN,
    /** The output of an instance, before the client sees it. */
    PROCESS_OUT
  }

  /**
   * Handles a message. Called on an event loop: must not block. Ends by one call of one method of
   * {@code then}, on this thread or another.
   */
  void handle(Point point, DefinitionKey definition, Payload message, Continuation then);

  /** How handling ends. */
  interface Continuation {
    /** The message goes on, changed or not. */
    void proceed(Payload message);

    /** The message stops here with an error for the client. */
    void refuse(WorkflowError error);
  }
}
