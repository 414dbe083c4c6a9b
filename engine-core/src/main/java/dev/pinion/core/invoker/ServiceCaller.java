package dev.pinion.core.invoker;

import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.spi.Content;
import dev.pinion.core.stage.Stage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Performs calls: the seam between the {@link Invoker} and the network.
 *
 * <p>All methods are called by the thread of the Invoker's event loop, and listeners are called on
 * it. The time limit of a call is the Invoker's business; limits of the network, such as the time
 * to connect, are the caller's.
 */
public interface ServiceCaller {
  /**
   * Begins a call.
   *
   * @param call the request
   * @param listener told the outcome once, perhaps before this method returns; never after {@link
   *     OngoingCall#cancel}
   * @return the handle of the call
   */
  OngoingCall call(HttpCall call, Listener listener);

  /**
   * Opens a connection to each of some services, so that the first calls find one.
   *
   * @param uris what is to be called, absolute; what cannot be called is passed over
   * @param settled run once, on the same thread, when no connection is being established any more:
   *     each is open or has failed, which the first call then finds out again
   */
  default void connectAhead(List<String> uris, Runnable settled) {
    settled.run();
  }

  /**
   * A duty cycle begins: calls follow, then {@link #doWork}.
   *
   * @param nowNanos monotonic time of this duty cycle
   */
  default void beginCycle(long nowNanos) {}

  /**
   * Does what time makes necessary. Called in every duty cycle, after calls were begun.
   *
   * @param nowNanos monotonic time of this duty cycle
   * @return the amount of work done
   */
  default int doWork(long nowNanos) {
    return 0;
  }

  /** Whether {@link #doWork} would find something to do now. */
  default boolean hasWork() {
    return false;
  }

  /** Monotonic time at which something is due, or {@link Stage#NO_DEADLINE}. */
  default long nextDeadlineNanos() {
    return Stage.NO_DEADLINE;
  }

  /** As {@link Stage#onPause} of the Invoker. */
  default void onPause(long untilNanos) {}

  /** Lets go of every connection. Called once, after the calls under way were cancelled. */
  default void onClose() {}

  /** A call that was begun. */
  interface OngoingCall {
    /** Stops the call; its listener hears nothing any more. No effect once the call has ended. */
    void cancel();

    /** What the call waits for, for error messages, such as {@code the answer of host:80}. */
    String awaits();

    /**
     * Whether an answer has waited for room in this process since this was asked last. Its service
     * is not to blame for that time.
     */
    default boolean wasHeldUp() {
      return false;
    }
  }

  /** Hears of a call whose request or answer passes handlers. */
  interface Handled extends Listener {
    /** What to send instead of the call's body; null for that body. */
    @Nullable Content content();

    /**
     * The service has answered: comes instead of an outcome.
     *
     * @param answer valid until this method returns
     * @return whether the answer was taken; if not, its outcome is told
     */
    boolean onAnswer(ServiceAnswer answer);
  }

  /** Hears how a call ended. */
  @FunctionalInterface
  interface Listener {
    /** The call has ended. */
    void onOutcome(CallOutcome outcome);

    /**
     * Work for the call has been done on this thread.
     *
     * @param since {@link dev.pinion.core.spi.Looks#count} when it began
     */
    default void onWork(int since) {}
  }
}
