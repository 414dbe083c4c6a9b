package dev.pinion.core.spi;

import dev.pinion.core.model.WorkflowError;

/** How handling a message ends. */
public sealed interface Decision {
  /**
   * The message goes on.
   *
   * @param message the message that came, when nothing has changed, or another one
   */
  record Proceed(Passage message) implements Decision {}

  /**
   * It is answered instead of whoever it was going to.
   *
   * @param answer its status, fields and content are the answer's
   */
  record Answered(Passage answer) implements Decision {}

  /**
   * It stops with a problem for whoever sent it.
   *
   * @param problem its status is from 400 to 599
   */
  record Refused(WorkflowError problem) implements Decision {}

  /**
   * There is no room for it; nothing has happened to it.
   *
   * @param limit name of the bound that is reached
   * @param retryAfterSeconds when to try again
   */
  record Overloaded(String limit, int retryAfterSeconds) implements Decision {}
}
