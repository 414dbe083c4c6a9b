package dev.pinion.core.binding;

import org.jspecify.annotations.Nullable;

/**
 * Observer of the calls of bound services and of the instances that make them: the source of the
 * broker's monitors. Each kernel and Invoker has a separate one and calls it on its thread: must be
 * quick and must not block. Classes are as the client named them, null for none.
 */
public interface CallObserver {
  /** An observer that ignores everything. */
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
   * Reports the start of an instance of any definition; or, when it started before services were
   * bound or in another process, that it is about to invoke its first abstract service.
   */
  void begun(@Nullable String serviceClass);

  /**
   * Reports that a task invokes an abstract service: once, however many calls the pattern makes.
   */
  void invoked(String abstractService, @Nullable String serviceClass);

  /**
   * Reports the end of a call of a concrete service. A call whose response is no longer awaited is
   * not reported.
   *
   * @param service id of the concrete service
   * @param nanos time from the call to its outcome, at least 0
   * @param success whether the definition accepts the response
   */
  void called(String service, @Nullable String serviceClass, long nanos, boolean success);

  /**
   * Reports that an instance that was {@linkplain #begun} in this process has completed or faulted.
   *
   * @param millis time from its start
   * @param success whether it completed
   */
  void ended(@Nullable String serviceClass, long millis, boolean success);
}
