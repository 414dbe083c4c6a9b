package dev.pinion.core.invoker;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.InvokerLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.HeapAccount;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What an Invoker does around its calls: handlers, measurement, and late answers. Immutable. */
public final class CallDecorators {
  /** Nothing around calls. */
  public static final CallDecorators NONE = new CallDecorators(null, CallTimer.NONE, null);

  private final @Nullable CallInterception handlers;
  private final CallTimer timer;
  private final CallbackInvocations.@Nullable CallbackSettings callbacks;

  private CallDecorators(
      @Nullable CallInterception handlers,
      CallTimer timer,
      CallbackInvocations.@Nullable CallbackSettings callbacks) {
    this.handlers = handlers;
    this.timer = timer;
    this.callbacks = callbacks;
  }

  /**
   * What is done around the calls of an Invoker.
   *
   * @param interceptor handlers around calls
   * @param loop runs tasks on the event loop of the Invoker
   * @param codec codec of bodies
   * @param limits bounds of bodies
   * @param bindings source of the observer of calls of bound services, and of the addresses for
   *     late answers
   * @param clock clock that measures them
   * @param heap account of late answers until they are read
   */
  public static CallDecorators of(
      Interceptor interceptor,
      Executor loop,
      PayloadCodec codec,
      InvokerLimits limits,
      BindingSource bindings,
      Clock clock,
      HeapAccount heap) {
    return new CallDecorators(
        interceptor.equals(Interceptor.NONE)
            ? null
            : new CallInterception(interceptor, loop, codec, limits),
        new CallTimer(bindings.observer(), clock::nanoTime),
        new CallbackInvocations.CallbackSettings(
            bindings::callbacks, new CallOutcomes(codec, limits), heap));
  }

  /** Handlers of calls, or null when there are none. */
  @Nullable CallInterception handlers() {
    return handlers;
  }

  /** Measurement of calls of bound services. */
  CallTimer timer() {
    return timer;
  }

  /** Parameters of services that answer later, or null when there are none. */
  CallbackInvocations.@Nullable CallbackSettings callbacks() {
    return callbacks;
  }
}
