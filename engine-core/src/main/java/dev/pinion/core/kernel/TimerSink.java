package dev.pinion.core.kernel;

/** Receiver of timers that are due at a monotonic time, as in the state of an instance. */
@FunctionalInterface
interface TimerSink {
  /** Starts one of an activity's timers, to fire under a number. None of the kind is set. */
  void startTimerAt(Activity activity, int kind, int attempt, long deadlineNanos);
}
