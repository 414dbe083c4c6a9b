package dev.pinion.core.spi;

import org.jspecify.annotations.Nullable;

/**
 * Hears how concrete services that stand for abstract ones do, and instances that call these: what
 * the monitors of the broker know is from here. Each kernel and Invoker has one of its own and
 * calls it on its thread: must be quick and must not block. Classes are as the client named them,
 * null for none.
 */
public interface CallObserver {
  /** Hears nothing. */
  CallObserver NONE =
      new CallObserver() {
        @Override
        public void begun(@Nullable String serviceClass) {}

        @Override
        public void invoked(String abstractService, @Nullable String serviceClass) {}

        @Override
        public void called(
            String service, @Nullable String serviceClass, long nanos, boolean success) {}

        @Override
        public void ended(@Nullable String serviceClass, long millis, boolean success) {}
      };

  /**
   * An instance was started, of whatever definition; or, when that was before services were bound
   * or in another process, is about to invoke its first abstract service.
   */
  void begun(@Nullable String serviceClass);

  /** A task invokes an abstract service: once, whatever the pattern of the calls that follow. */
  void invoked(String abstractService, @Nullable String serviceClass);

  /**
   * The call of a concrete service has ended. One that nobody waited for any more is not told.
   *
   * @param service id of the concrete service
   * @param nanos time from the call to its outcome, at least 0
   * @param success whether the definition accepts the answer
   */
  void called(String service, @Nullable String serviceClass, long nanos, boolean success);

  /**
   * An instance that was {@linkplain #begun} in this process has completed or faulted.
   *
   * @param millis time from its start
   * @param success whether it completed
   */
  void ended(@Nullable String serviceClass, long millis, boolean success);
}
