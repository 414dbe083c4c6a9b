package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.CallOutcome;

/** The reason why a message cannot be sent or received. */
final class MessageFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorType type;

  MessageFailure(ErrorType type, String detail) {
    super(detail, null, false, false);
    this.type = type;
  }

  /** A failure of the network or of the server. */
  static MessageFailure communication(String detail) {
    return new MessageFailure(ErrorType.COMMUNICATION, detail);
  }

  /** A failure of the network or of the server, by what a library says. */
  static MessageFailure communication(String expected, Throwable found) {
    String said = found.getMessage();
    return communication(
        "expected "
            + expected
            + ", found "
            + found.getClass().getSimpleName()
            + (said == null ? "" : ": " + said));
  }

  /** The outcome of the call. */
  CallOutcome.Failed outcome() {
    return CallFailures.of(type, String.valueOf(getMessage()));
  }
}
