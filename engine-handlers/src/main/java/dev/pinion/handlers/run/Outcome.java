package dev.pinion.handlers.run;

import dev.pinion.core.model.WorkflowError;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Verdict;

/** How handling a message ends. */
public sealed interface Outcome {
  /** The message goes on, changed or not. */
  record Proceed(Message message) implements Outcome {}

  /** A handler has answered instead of whoever the message was going to. */
  record Answered(Verdict.Answer answer) implements Outcome {}

  /**
   * The message stops with a problem: a handler refused it, or one that must perform could not.
   *
   * @param handler name of the handler in its chain
   */
  record Refused(String handler, WorkflowError problem) implements Outcome {}

  /**
   * There is no room for the message; nothing has happened to it. Of HTTP: 503 with {@code
   * Retry-After}.
   *
   * @param limit name of the bound that is reached
   * @param retryAfterSeconds when to try again
   */
  record Overloaded(String limit, int retryAfterSeconds) implements Outcome {}
}
