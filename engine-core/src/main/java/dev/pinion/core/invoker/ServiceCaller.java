package dev.pinion.core.invoker;

import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.stage.Stage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maker of calls: the seam between the {@link Invoker} and the network.
 *
 * <p>All methods are called by the thread of the Invoker's event loop, and listeners are called on
 * it. The Invoker enforces the time limit of a call; the caller enforces limits of the network,
 * such as the time to connect.
 */
public interface ServiceCaller {
  /**
   * Begins a call.
   *
   * @param call the request
   * @param callListener receives the outcome once, perhaps before this method returns; never after
   *     {@link OngoingCall#cancel}
   * @return the handle of the call
   */
  OngoingCall call(HttpCall call, CallListener callListener);

  /**
   * Makes a call whose request is sent in another way, once it has what it needs of secrets and
   * tokens.
   *
   * @param sender sends the complete request, perhaps a second time with another token
   * @param callListener as in {@link #call}
   */
  default OngoingCall callBy(RequestSender sender, HttpCall call, CallListener callListener) {
    return sender.send(call, callListener);
  }

  /**
   * Opens a connection to each of some services, so that the first calls find one.
   *
   * @param uris absolute URIs of the services; invalid ones are skipped
   * @param settled run once, on the same thread, when no connection is being established any more:
   *     each is open or has failed, which the first call then reports
   */
  default void connectAhead(List<String> uris, Runnable settled) {
    settled.run();
  }

  /**
   * Begins a duty cycle: calls follow, then {@link #doWork}.
   *
   * @param nowNanos monotonic time of this duty cycle
   */
  default void beginCycle(long nowNanos) {}

  /**
   * Does time-dependent work. Called in every duty cycle, after calls were begun.
   *
   * @param nowNanos monotonic time of this duty cycle
   * @return the amount of work done
   */
  default int doWork(long nowNanos) {
    return 0;
  }

  /** Whether {@link #doWork} has something to do now. */
  default boolean hasWork() {
    return false;
  }

  /** Monotonic time at which something is due, or {@link Stage#NO_DEADLINE}. */
  default long nextDeadlineNanos() {
    return Stage.NO_DEADLINE;
  }

  /** Defers deadlines, as in {@link Stage#onPause} of the Invoker. */
  default void onPause(long untilNanos) {}

  /** Closes every connection. Called once, after the calls in progress were cancelled. */
  default void onClose() {}

  /** Sends requests in a way of its own. */
  @FunctionalInterface
  interface RequestSender {
    /**
     * Sends a request, as {@link ServiceCaller#call} does. An {@link InterceptedListener} is
     * offered a response that refuses the authorization, instead of its outcome; the request is
     * sent again when it takes that.
     */
    OngoingCall send(HttpCall complete, CallListener callListener);
  }

  /** A call that was begun. */
  interface OngoingCall {
    /**
     * Cancels the call; its listener is not notified any more. No effect once the call has ended.
     */
    void cancel();

    /**
     * Description of what the call waits for, for error messages, such as {@code the answer of
     * host:80}.
     */
    String waitsFor();

    /**
     * Whether a response has waited for room in this process since the last call of this method.
     * The service is not to blame for that time.
     */
    default boolean wasDelayedLocally() {
      return false;
    }
  }

  /** Listener of a call whose request or response passes handlers. */
  interface InterceptedListener extends CallListener {
    /** Content to send instead of the call's body; null for that body. */
    @Nullable MessageBody content();

    /**
     * Receives the response of the service instead of an outcome.
     *
     * @param answer valid until this method returns
     * @return whether the response was taken; if not, its outcome follows
     */
    boolean onResponse(ServiceResponse answer);
  }

  /** Listener of a call that may have seen enough of a response before its end. */
  interface StreamListener extends InterceptedListener {
    /**
     * Looks at a response whose body is not complete. Called for each part of it.
     *
     * @param soFar what has come; valid until this method returns
     * @return whether nothing more is wanted: the call ends without an outcome, and its connection
     *     is closed
     */
    boolean onPart(ServiceResponse soFar);
  }

  /** Listener for the outcome of a call. */
  @FunctionalInterface
  interface CallListener {
    /** Receives the outcome of the call. */
    void onOutcome(CallOutcome outcome);

    /**
     * Reports work for the call on this thread.
     *
     * @param since {@link dev.pinion.core.spi.ProfilingHook#count} when it began
     */
    default void onWork(int since) {}
  }
}
