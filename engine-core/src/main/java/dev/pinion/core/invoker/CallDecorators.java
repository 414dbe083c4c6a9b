package dev.pinion.core.invoker;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.InvokerLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.spi.ExternalEvents;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What an Invoker does around its calls: handlers, measurement, and late answers. Immutable. */
public final class CallDecorators {
  /** Nothing around calls. */
  public static final CallDecorators NONE =
      new CallDecorators(null, CallTimer.NONE, null, ExternalEvents.NONE, Runnable::run);

  private final @Nullable CallInterception handlers;
  private final CallTimer timer;
  private final CallbackInvocations.@Nullable CallbackSettings callbacks;
  private final ExternalEvents events;
  private final Executor loop;

  private CallDecorators(
      @Nullable CallInterception handlers,
      CallTimer timer,
      CallbackInvocations.@Nullable CallbackSettings callbacks,
      ExternalEvents events,
      Executor loop) {
    this.handlers = handlers;
    this.timer = timer;
    this.callbacks = callbacks;
    this.events = events;
    this.loop = loop;
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
   * @param events receives the events that tasks emit
   */
  public static CallDecorators of(
      Interceptor interceptor,
      Executor loop,
      PayloadCodec codec,
      InvokerLimits limits,
      BindingSource bindings,
      Clock clock,
      HeapAccount heap,
      ExternalEvents events) {
    return new CallDecorators(
        interceptor.equals(Interceptor.NONE)
            ? null
            : new CallInterception(interceptor, loop, codec, limits),
        new CallTimer(bindings.observer(), clock::nanoTime),
        new CallbackInvocations.CallbackSettings(
            bindings::callbacks, new CallOutcomes(codec, limits), heap),
        events,
        loop);
  }

  /** Handlers of calls, or null when there are none. */
  @Nullable CallInterception handlers() {
    return handlers;
  }

  /** Measurement of calls of bound services. */
  CallTimer timer() {
    return timer;
  }

  /** An emitter of events, for one Invoker. */
  EventEmitter newEmitter() {
    return new EventEmitter(events, loop);
  }

  /** Parameters of services that answer later, or null when there are none. */
  CallbackInvocations.@Nullable CallbackSettings callbacks() {
    return callbacks;
  }
}
