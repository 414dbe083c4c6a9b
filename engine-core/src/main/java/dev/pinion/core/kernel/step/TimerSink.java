package dev.pinion.core.kernel.step;

/** Receiver of timers that are due at a monotonic time, as in the state of an instance. */
@FunctionalInterface
public interface TimerSink {
  /** Starts one of an activity's timers, to fire under a number. None of the kind is set. */
  void startTimerAt(Activity activity, int kind, int attempt, long deadlineNanos);
}
