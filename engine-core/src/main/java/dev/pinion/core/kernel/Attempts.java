package dev.pinion.core.kernel;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a {@code try} knows of its attempts. */
final class Attempts {
  /** What the try is doing. */
  enum Mode {
    /** Running its body. */
    TRYING,
    /** Waiting to run its body again. */
    DELAYED,
    /** Running the body of its catch. */
    HANDLING
  }

  final long firstStartedAtEpochMillis;
  Mode mode = Mode.TRYING;

  /** Retries so far. */
  int retries;

  /** Calls that were made inside so far. */
  final CallCounts calls = new CallCounts();

  /** The error of the present attempt as JSON; JSON null while the instance is packed. */
  private @Nullable Payload error;

  Attempts(long firstStartedAtEpochMillis) {
    this.firstStartedAtEpochMillis = firstStartedAtEpochMillis;
  }

  /** Begins an attempt; the error of the one before is over. */
  void begin() {
    mode = Mode.TRYING;
    error = null;
    calls.beginAttempt();
  }

  void failedWith(WorkflowError failure) {
    error = failure.toPayload();
  }

  /** The error that the present attempt ended with, or null. */
  @Nullable WorkflowError error() {
    return error == null ? null : WorkflowError.of(error);
  }

  /** The error as expressions see it, or null. */
  @Nullable Payload errorPayload() {
    return error;
  }

  /** Puts another in the place of the error, if there is one. */
  void replace(UnaryOperator<Payload> each) {
    error = error == null ? null : each.apply(error);
  }
}
