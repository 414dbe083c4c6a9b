package dev.pinion.handlers.run;

import dev.pinion.core.model.WorkflowError;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Verdict;

/** Outcome of handling a message. */
public sealed interface Outcome {
  /** The message continues, changed or not. */
  record Proceed(Message message) implements Outcome {}

  /** A handler has answered in place of the receiver of the message. */
  record Answered(Verdict.Answer answer) implements Outcome {}

  /**
   * The message stops with a problem: a handler refused it, or a mandatory one failed.
   *
   * @param handler name of the handler in its chain
   */
  record Refused(String handler, WorkflowError problem) implements Outcome {}

  /**
   * There is no room for the message; nothing has happened to it. Of HTTP: 503 with {@code
   * Retry-After}.
   *
   * @param limit name of the bound that was reached
   * @param retryAfterSeconds seconds until another attempt
   */
  record Overloaded(String limit, int retryAfterSeconds) implements Outcome {}
}
