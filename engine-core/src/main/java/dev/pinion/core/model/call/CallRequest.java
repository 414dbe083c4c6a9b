package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Request of a task to something outside of its instance, which performs it and reports one {@link
 * CallOutcome}. Not recorded: after a crash it is made anew from its task. Immutable.
 */
public sealed interface CallRequest
    permits ChildStart, EventEmission, HttpCall, ProgramRun, ProtocolCall {
  /** The value that is sent, or null. Its instance is charged for it. */
  @Nullable Payload body();

  /** A copy with an equal body in another form. */
  CallRequest withBody(Payload other);

  /** Heap bytes of the values of the instance that it keeps, for which the instance is charged. */
  default long heapBytes() {
    Payload body = body();
    return body == null ? 0 : body.heapBytes();
  }

  /** A copy with other values instead of those of the instance, which are visited in order. */
  default CallRequest withValues(UnaryOperator<Payload> each) {
    Payload body = body();
    return body == null ? this : withBody(each.apply(body));
  }

  /**
   * A copy with a name by which the receiver can recognize a repetition.
   *
   * @param key name of the request, the same in all repetitions
   * @param attempt number of the attempt, from 1
   */
  CallRequest withIdempotencyKey(String key, int attempt);

  /** Whether it cannot be made without a name. */
  default boolean needsIdempotencyKey() {
    return false;
  }

  /**
   * Whether a text repeats a secret of the whole request. Asked before a text of the receiver is
   * cut for a message: a part of a secret would not be recognized afterwards.
   */
  default boolean showsSecret(String text) {
    return false;
  }

  /** Short description for messages and the history, without anything that may be secret. */
  String description();
}
