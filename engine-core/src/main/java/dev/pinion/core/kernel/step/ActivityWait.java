package dev.pinion.core.kernel.step;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallRequest;
import org.jspecify.annotations.Nullable;

/** What an activity waits for: the outcome of a call, a child, or an evaluation elsewhere. */
public abstract sealed class ActivityWait permits Activity {
  static final int NOTHING = 0;

  /** Number of the call, child or evaluation that this activity waits for; 0 for none. */
  int awaiting = NOTHING;

  /** Whether the awaited call or evaluation was sent; before that it waits for a permit. */
  boolean sent;

  /** Awaited call until it is sent, or awaited child until it is started. */
  @Nullable CallRequest call;

  /** Input of the awaited evaluation. */
  @Nullable Payload evaluationInput;

  /** Number of the phase's question that is evaluated elsewhere; 0 for none. */
  int evaluating = NOTHING;

  /**
   * Earlier deliveries of the awaited call in this run of its task: by earlier attempts of a {@code
   * try}, or before the engine ended.
   */
  int deliveries;

  /** Whether that call is named by its number, as calls were before names stayed the same. */
  boolean namedByNumber;

  /** Number of the call that must go to {@link #boundTo}; 0 for none. */
  int boundAttempt = NOTHING;

  /** Name of a concrete service. */
  @Nullable String boundTo;

  /** Clears the wait: the awaited result has arrived or is no longer wanted. */
  void awaitNothing() {
    awaiting = NOTHING;
    sent = false;
    call = null;
    evaluationInput = null;
  }

  /** Keeps the awaited call until it is sent; null when it cannot be made. */
  public void prepare(@Nullable CallRequest prepared) {
    call = prepared;
  }

  /** Records that the awaited call or evaluation was sent. */
  public void send() {
    call = null;
    sent = true;
  }

  /** Sets how often the awaited call was delivered before. */
  public void delivered(int times) {
    deliveries = times;
  }

  /** Records whether the awaited call is named by its number. */
  public void namedByNumber(boolean byNumber) {
    namedByNumber = byNumber;
  }

  /** Abandons the wait: the instance continues elsewhere. */
  public void abandonWait() {
    awaiting = NOTHING;
  }

  /** Awaited call, until it is sent. */
  public @Nullable CallRequest call() {
    return call;
  }

  /** Input of the awaited evaluation. */
  public @Nullable Payload evaluationInput() {
    return evaluationInput;
  }

  /**
   * Earlier deliveries of the awaited call in this run of its task: by earlier attempts of a {@code
   * try}, or before the engine ended.
   */
  public int deliveries() {
    return deliveries;
  }

  /** Number of the call that must go to {@link #boundTo}; 0 for none. */
  public int boundAttempt() {
    return boundAttempt;
  }

  /** Name of a concrete service. */
  public @Nullable String boundTo() {
    return boundTo;
  }

  /** Number of the phase's question that is evaluated elsewhere; 0 for none. */
  public int evaluating() {
    return evaluating;
  }

  /** Number of the call or evaluation that this activity waits for; 0 for none. */
  public int awaiting() {
    return awaiting;
  }

  /** Whether the awaited call or evaluation was sent; before that it waits for a permit. */
  public boolean sent() {
    return sent;
  }
}
