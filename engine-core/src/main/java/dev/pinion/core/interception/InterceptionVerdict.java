package dev.pinion.core.interception;

import dev.pinion.core.model.WorkflowError;

/** Decision of handlers about a message. */
public sealed interface InterceptionVerdict {
  /**
   * The message proceeds.
   *
   * @param message the unchanged message, or another one
   */
  record Proceed(HttpMessage message) implements InterceptionVerdict {}

  /**
   * The message is answered instead of reaching its destination.
   *
   * @param answer status, fields and content of the response
   */
  record Respond(HttpMessage answer) implements InterceptionVerdict {}

  /**
   * The message is refused with a problem for its sender.
   *
   * @param problem its status is from 400 to 599
   */
  record Reject(WorkflowError problem) implements InterceptionVerdict {}

  /**
   * The handlers have no room for the message; it is unchanged.
   *
   * @param limit name of the exceeded bound
   * @param retryAfterSeconds seconds until another try
   */
  record Overloaded(String limit, int retryAfterSeconds) implements InterceptionVerdict {}
}
