package dev.pinion.core.invoker;

import dev.pinion.core.spi.CallObserver;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures calls of concrete services. Times are read when a call begins and when its outcome is
 * there: the time of the event loop's cycle may be old by then.
 *
 * @param observer hears of them
 * @param nanos monotonic time
 */
record CallWatch(CallObserver observer, LongSupplier nanos) {
  /** Measures nothing. */
  static final CallWatch NONE = new CallWatch(CallObserver.NONE, () -> 0);

  long now() {
    return nanos.getAsLong();
  }

  void ended(String service, @Nullable String serviceClass, long begunNanos, boolean success) {
    observer.called(service, serviceClass, Math.max(0, now() - begunNanos), success);
  }
}
