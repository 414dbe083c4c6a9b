package dev.pinion.core.kernel.step;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** State of the attempts of a {@code try}. */
final class TryState {
  /** Activity of the try. */
  enum TryMode {
    /** Running its body. */
    TRYING,
    /** Waiting to run its body again. */
    DELAYED,
    /** Compensating what completed in its body. */
    COMPENSATING,
    /** Running the body of its catch. */
    HANDLING
  }

  final long firstStartedAtEpochMillis;
  TryMode tryMode = TryMode.TRYING;

  /** Retries so far. */
  int retries;

  /** Calls made inside so far. */
  final CallAttemptCounts calls = new CallAttemptCounts();

  /** Error of the present attempt as JSON; JSON null while the instance is packed. */
  private @Nullable Payload error;

  /** Scope of what completes in its body; null before something has. */
  private @Nullable CompensationScope scope;

  TryState(long firstStartedAtEpochMillis) {
    this.firstStartedAtEpochMillis = firstStartedAtEpochMillis;
  }

  /** Scope of what has completed in its body; null for none. */
  @Nullable CompensationScope scope() {
    return scope;
  }

  /** Scope of what completes in its body. */
  CompensationScope openScope() {
    CompensationScope open = scope == null ? new CompensationScope() : scope;
    scope = open;
    return open;
  }

  /** Begins an attempt and clears the error of the previous one. */
  void begin() {
    tryMode = TryMode.TRYING;
    error = null;
    calls.beginAttempt();
  }

  void failedWith(WorkflowError failure) {
    error = failure.toPayload();
  }

  /** Error that ended the present attempt, or null. */
  @Nullable WorkflowError error() {
    return error == null ? null : WorkflowError.of(error);
  }

  /** Error as expressions see it, or null. */
  @Nullable Payload errorPayload() {
    return error;
  }

  /** Replaces the error, if there is one. */
  void replace(UnaryOperator<Payload> each) {
    error = error == null ? null : each.apply(error);
  }
}
