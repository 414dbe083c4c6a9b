package dev.pinion.core.kernel.step.attempt;

import dev.pinion.core.kernel.step.compensation.CompensationScope;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** State of the attempts of a {@code try}. */
public final class TryState {
  /** Activity of the try. */
  public enum TryMode {
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

  /** The attempts of a {@code try} whose first one begins. */
  public TryState(long firstStartedAtEpochMillis) {
    this.firstStartedAtEpochMillis = firstStartedAtEpochMillis;
  }

  /** Wall-clock time at which the first attempt began. */
  public long firstStartedAtEpochMillis() {
    return firstStartedAtEpochMillis;
  }

  /** What it does now. */
  public TryMode mode() {
    return tryMode;
  }

  /** Records what it does from now on. */
  public void mode(TryMode next) {
    tryMode = next;
  }

  /** Retries so far. */
  public int retries() {
    return retries;
  }

  /** Restores the number of retries from serialized state. */
  public void retries(int before) {
    retries = before;
  }

  /** Counts another retry. */
  public void retry() {
    retries++;
  }

  /** Calls made inside so far. */
  public CallAttemptCounts calls() {
    return calls;
  }

  /** Scope of what has completed in its body; null for none. */
  public @Nullable CompensationScope scope() {
    return scope;
  }

  /** Scope of what completes in its body. */
  public CompensationScope openScope() {
    CompensationScope open = scope == null ? new CompensationScope() : scope;
    scope = open;
    return open;
  }

  /** Begins an attempt and clears the error of the previous one. */
  public void begin() {
    tryMode = TryMode.TRYING;
    error = null;
    calls.beginAttempt();
  }

  /** Records the error that ended the present attempt. */
  public void failedWith(WorkflowError failure) {
    error = failure.toPayload();
  }

  /** Error that ended the present attempt, or null. */
  public @Nullable WorkflowError error() {
    return error == null ? null : WorkflowError.of(error);
  }

  /** Error as expressions see it, or null. */
  public @Nullable Payload errorPayload() {
    return error;
  }

  /** Replaces the error, if there is one. */
  public void replace(UnaryOperator<Payload> each) {
    error = error == null ? null : each.apply(error);
  }
}
