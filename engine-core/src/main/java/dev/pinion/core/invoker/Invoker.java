package dev.pinion.core.invoker;

import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.binding.ServiceEndpoint;
import dev.pinion.core.interception.MessageContext;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.limits.InvokerLimits;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Effect.Invoke;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply.CallbackStatus;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.call.EventEmission;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.model.call.ProtocolCall;
import dev.pinion.core.spi.ProfilingHook;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.collections.Object2ObjectHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that makes calls and reports the outcome of each exactly once.
 *
 * <pre>
 *   Invoke ──▶ calls under way ──▶ answered, failed, timed out, aborted, engine stopped
 *                   ▲                                  │ whichever comes first
 *   Abort, DeliverCallback ─┘                          ▼
 *                                       CallCompleted to the kernel
 * </pre>
 *
 * <p>Belongs to one event loop, on whose thread the {@link ServiceCaller} makes the calls. A call
 * whose time is up is cancelled and reported as a {@link ErrorType#TIMEOUT}; the time waiting for a
 * connection counts. One whose response waits for room in this process gets its time again.
 */
public final class Invoker implements Stage {
  private static final Logger LOG = LoggerFactory.getLogger(Invoker.class);
  private static final int INVOCATIONS_PER_CYCLE = 256;

  private final String role;
  private final InvokerLimits limits;
  private final Lane<Effect.Invocation> lane;
  private final ServiceCaller caller;
  private final ProgramCaller programs;
  private final ProtocolCaller protocols;
  private final CompletionSink sink;
  private final InvokerCounters counters;
  private final @Nullable CallInterception handlers;
  private final CallTimer timer;
  private final EventEmitter emitter;
  private final CallbackInvocations.@Nullable CallbackSettings late;
  private final Consumer<Effect.Invocation> onInvocation = this::onInvocation;
  private final Object2ObjectHashMap<CallId, ActiveCall> calls = new Object2ObjectHashMap<>();
  private final TimeoutQueue<ActiveCall> timeouts;
  private long heldUntilNanos = Long.MIN_VALUE;

  /**
   * An Invoker.
   *
   * @param role name of the stage
   * @param limits the time a call may take
   * @param lane requests of the kernels; this stage is its reader
   * @param targets performers of the calls, on the same event loop
   * @param sink receiver of the outcomes
   * @param counters written by this stage and its caller
   * @param decorators what is done around calls
   */
  public Invoker(
      String role,
      InvokerLimits limits,
      Lane<Effect.Invocation> lane,
      CallTargets targets,
      CompletionSink sink,
      InvokerCounters counters,
      CallDecorators decorators) {
    this.role = role;
    this.limits = limits;
    this.lane = lane;
    this.caller = targets.services();
    this.programs = targets.programs();
    this.protocols = targets.protocols();
    this.sink = sink;
    this.counters = counters;
    this.handlers = decorators.handlers();
    this.timer = decorators.timer();
    this.emitter = decorators.newEmitter();
    this.late = decorators.callbacks();
    this.timeouts = new TimeoutQueue<>(TimeUnit.MILLISECONDS.toNanos(limits.callTimeoutMillis()));
  }

  @Override
  public String role() {
    return role;
  }

  @Override
  public int doWork(long nowNanos, long epochMillis) {
    caller.beginCycle(nowNanos);
    int work = emitter.work(nowNanos) + lane.drain(onInvocation, INVOCATIONS_PER_CYCLE);
    if (nowNanos >= heldUntilNanos) {
      work += expireCalls(nowNanos);
    }
    timeouts.start(nowNanos);
    return work + caller.doWork(nowNanos);
  }

  @Override
  public boolean hasWork() {
    return !lane.isEmpty() || timeouts.hasUnstarted() || caller.hasWork();
  }

  @Override
  public long nextDeadlineNanos() {
    long nextNanos = Math.min(timeouts.nextDeadlineNanos(), caller.nextDeadlineNanos());
    return Math.min(Math.max(nextNanos, heldUntilNanos), emitter.nextDeadlineNanos());
  }

  @Override
  public void onPause(long untilNanos) {
    heldUntilNanos = untilNanos;
    caller.onPause(untilNanos);
  }

  /**
   * Opens a connection to each of some services. On the thread of the event loop, once.
   *
   * @param uris absolute URIs of the services
   * @param settled run on the same thread when each is open or has failed
   */
  public void connectAhead(List<String> uris, Runnable settled) {
    caller.connectAhead(uris, settled);
  }

  /** Fails every call in progress or still in the lane, and closes the caller. */
  @Override
  public void onClose() {
    CallOutcome stopped =
        CallFailures.of(ErrorType.RUNTIME, "the engine stopped before the call ended");
    for (ActiveCall activeCall : List.copyOf(calls.values())) {
      activeCall.cancel(stopped, Counter.FAILED);
    }
    Consumer<Effect.Invocation> refuse =
        invocation -> {
          if (invocation instanceof Invoke invoke) {
            counters.increment(Counter.CALLS);
            report(invoke, stopped, Counter.FAILED);
          }
        };
    lane.drain(refuse, lane.capacity());
    caller.onClose();
  }

  /** Counters of this Invoker. Any thread. */
  public InvokerCounters counters() {
    return counters;
  }

  private void onInvocation(Effect.Invocation invocation) {
    switch (invocation) {
      case Invoke invoke -> onInvoke(invoke);
      case Effect.Abort abort -> onAbort(abort);
      case Effect.DeliverCallback deliverCallback -> onAnswer(deliverCallback);
    }
  }

  private void onInvoke(Invoke invoke) {
    counters.increment(Counter.CALLS);
    ActiveCall activeCall = new ActiveCall(invoke);
    if (calls.putIfAbsent(activeCall.id, activeCall) != null) {
      String problem =
          "expected one call at a time for each attempt, found a second " + activeCall.id;
      LOG.error("{}: {}", role, problem);
      report(invoke, CallFailures.of(ErrorType.RUNTIME, problem), Counter.FAILED);
      return;
    }
    activeCall.begin();
  }

  private void onAbort(Effect.Abort abort) {
    ActiveCall activeCall = calls.get(new CallId(abort.id(), abort.activity(), abort.attempt()));
    if (activeCall == null) {
      counters.increment(Counter.ABORTS_IGNORED);
      return;
    }
    activeCall.cancel(CallOutcome.Aborted.INSTANCE, Counter.ABORTED);
  }

  private void onAnswer(Effect.DeliverCallback deliverCallback) {
    boolean hasRoom = late == null || late.takeUp(deliverCallback.answer());
    ActiveCall activeCall =
        calls.get(
            new CallId(
                deliverCallback.id(), deliverCallback.activity(), deliverCallback.attempt()));
    if (activeCall == null) {
      heard(deliverCallback, CallbackStatus.NOT_AWAITED);
    } else if (!hasRoom) {
      heard(deliverCallback, CallbackStatus.NO_ROOM);
    } else {
      activeCall.answered(deliverCallback);
    }
  }

  private void heard(Effect.DeliverCallback deliverCallback, CallbackStatus callbackStatus) {
    tell(
        deliverCallback.kernel(),
        deliverCallback.id(),
        new Completion.CallbackHandled(
            deliverCallback.id(), callbackStatus, deliverCallback.replyTo()));
  }

  private int expireCalls(long nowNanos) {
    int expired = 0;
    for (ActiveCall activeCall = timeouts.pollExpired(nowNanos);
        activeCall != null;
        activeCall = timeouts.pollExpired(nowNanos)) {
      if (activeCall.wasHeldUp()) {
        timeouts.add(activeCall);
        continue;
      }
      String detail = timeoutDetail(activeCall);
      activeCall.timedOut();
      activeCall.cancel(CallFailures.of(ErrorType.TIMEOUT, detail), Counter.FAILED);
      expired++;
    }
    return expired;
  }

  private String timeoutDetail(ActiveCall activeCall) {
    return "expected "
        + activeCall.invoke.call().description()
        + " to end within "
        + limits.callTimeoutMillis()
        + " ms (invoker.callTimeoutMillis), found it waiting for "
        + activeCall.awaits();
  }

  private void report(Invoke invoke, CallOutcome outcome, Counter counter) {
    counters.increment(counter);
    tell(
        invoke.kernel(),
        invoke.id(),
        new Event.CallCompleted(invoke.id(), invoke.activity(), invoke.attempt(), outcome));
  }

  private void tell(int kernel, InstanceId id, Completion completion) {
    if (!sink.offer(kernel, completion)) {
      counters.increment(Counter.UNDELIVERED);
      LOG.error(
          "{}: expected kernel {} to have room for the outcome of a call of {}, found none: its"
              + " completion lane is smaller than its permits",
          role,
          kernel,
          id);
    }
  }

  private static MessageContext about(Invoke invoke) {
    return new MessageContext(invoke.task().definition(), invoke.service(), invoke.serviceClass());
  }

  /** Identity of a call. */
  private record CallId(InstanceId instance, int activity, int attempt) {}

  /** A call in progress. */
  private final class ActiveCall extends TimeoutQueue.TimeoutNode<ActiveCall>
      implements ServiceCaller.CallListener {
    final CallId id;
    final Invoke invoke;
    private ServiceCaller.@Nullable OngoingCall ongoing;
    private @Nullable CallbackInvocations callbackInvocations;
    private boolean ended;
    private long begunNanos;

    ActiveCall(Invoke invoke) {
      this.id = new CallId(invoke.id(), invoke.activity(), invoke.attempt());
      this.invoke = invoke;
    }

    void begin() {
      try {
        switch (invoke.call()) {
          case HttpCall call -> {
            timeouts.add(this);
            begin(call);
          }
          case ProgramRun run -> ongoing = programs.run(run, this);
          case EventEmission event -> {
            timeouts.add(this);
            ongoing = emitter.emit(invoke.task().definition().namespace(), event, this);
          }
          case ProtocolCall call -> {
            if (call.isTimed()) {
              timeouts.add(this);
            }
            ongoing = protocols.call(call, this);
          }
          case ChildStart start ->
              throw new IllegalStateException(
                  "expected a call, found the start of a child: " + start.description());
        }
      } catch (RuntimeException e) {
        LOG.error("{}: {} could not be begun", role, invoke.call().description(), e);
        onOutcome(CallFailures.of(ErrorType.RUNTIME, "the call could not be begun: " + e));
      }
    }

    private void begin(HttpCall call) {
      ServiceCandidates serviceCandidates = invoke.candidates();
      if (serviceCandidates == null || serviceCandidates.isDirect()) {
        begunNanos = serviceCandidates == null ? 0 : timer.now();
        ongoing = around(caller).call(call, this);
      } else {
        BoundCall.CallSettings callSettings =
            new BoundCall.CallSettings(limits.maxMappingSteps(), timer, invoke.serviceClass());
        BoundCall bound =
            new BoundCall(this::callerOf, call, serviceCandidates, callSettings, this);
        ongoing = bound;
        bound.begin();
      }
    }

    /** Wraps a caller in handlers, where there are any. */
    private ServiceCaller around(ServiceCaller each) {
      return handlers == null || !handlers.applies(invoke.task().definition())
          ? each
          : InterceptedCall.around(handlers, each, about(invoke));
    }

    private ServiceCaller callerOf(ServiceEndpoint service) {
      CallbackInvocations.CallbackSettings callbackSettings = late;
      if (!service.async() || callbackSettings == null) {
        return around(caller);
      }
      CallbackInvocations known = callbackInvocations;
      if (known == null) {
        known = new CallbackInvocations(callbackSettings, invoke, Invoker.this::heard);
        callbackInvocations = known;
      }
      return known.caller(service, caller, this::around);
    }

    void answered(Effect.DeliverCallback deliverCallback) {
      if (callbackInvocations == null) {
        heard(deliverCallback, CallbackStatus.NOT_AWAITED);
      } else {
        callbackInvocations.onCallback(deliverCallback);
      }
    }

    @Override
    public void onOutcome(CallOutcome outcome) {
      observe(outcome instanceof CallOutcome.Succeeded);
      end(outcome, outcome instanceof CallOutcome.Succeeded ? Counter.ANSWERED : Counter.FAILED);
    }

    @Override
    public void onWork(int since) {
      ProfilingHook.record(
          since,
          ProfilingHook.Component.INVOKER,
          invoke.task().definition(),
          invoke.task().pointer(),
          invoke.serviceClass());
    }

    /** Reports the end of a call of a plain service; calls in patterns report by themselves. */
    private void observe(boolean success) {
      ServiceCandidates serviceCandidates = invoke.candidates();
      if (!ended && serviceCandidates != null && serviceCandidates.isDirect()) {
        timer.ended(serviceCandidates.first().id(), invoke.serviceClass(), begunNanos, success);
      }
    }

    /** Reports the services that have not answered in time. */
    void timedOut() {
      if (ongoing instanceof BoundCall bound) {
        bound.timedOut();
      } else {
        observe(false);
      }
    }

    void cancel(CallOutcome outcome, Counter counter) {
      if (ongoing != null) {
        ongoing.cancel();
      }
      end(outcome, counter);
    }

    private void end(CallOutcome outcome, Counter counter) {
      if (ended) {
        LOG.error("{}: expected one outcome of {}, found another: {}", role, id, outcome);
        return;
      }
      ended = true;
      calls.remove(id);
      timeouts.remove(this);
      report(invoke, outcome, counter);
      if (callbackInvocations != null) {
        callbackInvocations.end();
      }
    }

    boolean wasHeldUp() {
      return ongoing != null && ongoing.wasDelayedLocally();
    }

    String awaits() {
      return ongoing == null ? "its start" : ongoing.waitsFor();
    }
  }
}
