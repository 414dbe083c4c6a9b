package dev.pinion.core.message;

import dev.pinion.core.model.InstanceId;

/** Report to a kernel about an effect that it requested. */
public sealed interface Completion
    permits Event.CallCompleted, Event.ExpressionEvaluated, Completion.CallbackHandled {
  /**
   * Report of the Invoker that it has accepted a late answer, or had no use or no room for it; an
   * outcome that it led to was reported before.
   *
   * @param id the instance that called
   * @param status result of the answer
   * @param replyTo receiver of the reply
   */
  record CallbackHandled(
      InstanceId id, Reply.CallbackStatus status, ReplyAddress<Reply.CallbackReply> replyTo)
      implements Completion {}
}
