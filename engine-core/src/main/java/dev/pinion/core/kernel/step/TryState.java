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

  private final long firstStartedAtEpochMillis;
  private final CallAttemptCounts calls = new CallAttemptCounts();
  private TryMode tryMode = TryMode.TRYING;
  private int retries;

  /** Error of the present attempt as JSON; JSON null while the instance is packed. */
  private @Nullable Payload error;

  /** Scope of what completes in its body; null before something has. */
  private @Nullable CompensationScope scope;

  TryState(long firstStartedAtEpochMillis) {
    this.firstStartedAtEpochMillis = firstStartedAtEpochMillis;
  }

  /** Wall-clock time at which the first attempt began. */
  long firstStartedAtEpochMillis() {
    return firstStartedAtEpochMillis;
  }

  /** What it does now. */
  TryMode mode() {
    return tryMode;
  }

  /** Records what it does from now on. */
  void mode(TryMode next) {
    tryMode = next;
  }

  /** Retries so far. */
  int retries() {
    return retries;
  }

  /** Restores the number of retries from serialized state. */
  void retries(int before) {
    retries = before;
  }

  /** Counts another retry. */
  void retry() {
    retries++;
  }

  /** Calls made inside so far. */
  CallAttemptCounts calls() {
    return calls;
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
