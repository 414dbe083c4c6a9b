package dev.pinion.handlers.run;

import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.plan.Step;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports of failed handlers: a problem to the requester, the rest to the log. */
final class HandlerFailures {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerFailures.class);
  private static final String BASE = "https://pinion.dev/problems/";

  private HandlerFailures() {}

  /** The problem for the requester of a message that stops because a step failed. */
  static WorkflowError problem(Step step, MessageId id, @Nullable Throwable failure) {
    return switch (failure) {
      case PayloadSyntaxException e ->
          new WorkflowError(BASE + "bad-body", 400, "Bad request body", e.getMessage(), null);
      case HandlerTimeoutException _ ->
          new WorkflowError(
              BASE + "handler-timeout",
              504,
              "A handler did not end in time",
              "expected the handler \""
                  + step
                  + "\" to end within "
                  + step.declaration().timeout()
                  + ", found that it did not; message "
                  + id,
              null);
      case null, default ->
          new WorkflowError(
              BASE + "handler-failed",
              500,
              "A handler failed",
              "expected the handler \""
                  + step
                  + "\" to be performed, found that it failed; message "
                  + id,
              null);
    };
  }

  /** Without a stack trace, which would flood the log under load; debug level has it. */
  static void logStop(Step step, MessageId id, Throwable failure) {
    LOG.warn(
        "the handler \"{}\" failed and stops the message {}: {}", step, id, failure.toString());
    LOG.debug("the handler \"{}\" failed", step, failure);
  }

  static void logSkip(Step step, MessageId id, @Nullable Throwable failure) {
    LOG.debug("the handler \"{}\" failed and is skipped for the message {}", step, id, failure);
  }

  static void logUndo(HandlerCall handlerCall) {
    LOG.error(
        "the effect of the handler \"{}\" for the message {} could not be undone",
        handlerCall.step(),
        handlerCall.view().id(),
        handlerCall.failure());
  }
}
