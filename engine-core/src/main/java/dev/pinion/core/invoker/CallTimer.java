package dev.pinion.core.invoker;

import dev.pinion.core.binding.CallObserver;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures calls of concrete services. The clock is read when a call begins and when it has its
 * outcome: the time of the event loop's cycle may be old by then.
 *
 * @param observer observer of the calls
 * @param nanos monotonic time
 */
record CallTimer(CallObserver observer, LongSupplier nanos) {
  /** A watch that measures nothing. */
  static final CallTimer NONE = new CallTimer(CallObserver.NONE, () -> 0);

  long now() {
    return nanos.getAsLong();
  }

  void ended(String service, @Nullable String serviceClass, long begunNanos, boolean success) {
    observer.called(service, serviceClass, Math.max(0, now() - begunNanos), success);
  }
}
