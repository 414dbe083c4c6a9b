package dev.pinion.core.kernel;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
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

  private @Nullable WorkflowError error;
  private @Nullable Payload errorPayload;

  Attempts(long firstStartedAtEpochMillis) {
    this.firstStartedAtEpochMillis = firstStartedAtEpochMillis;
  }

  /** Begins an attempt; the error of the one before is over. */
  void begin() {
    mode = Mode.TRYING;
    error = null;
    errorPayload = null;
    calls.beginAttempt();
  }

  void failedWith(WorkflowError failure) {
    error = failure;
    errorPayload = failure.toPayload();
  }

  /** The error that the present attempt ended with, or null. */
  @Nullable WorkflowError error() {
    return error;
  }

  /** The error as expressions see it, or null. */
  @Nullable Payload errorPayload() {
    return errorPayload;
  }
}
