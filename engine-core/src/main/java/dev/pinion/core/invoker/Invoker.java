package dev.pinion.core.invoker;

import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Effect.Invoke;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelReply.Reception;
import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.Candidates;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.model.ServiceEndpoint;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.BindingSource;
import dev.pinion.core.spi.Looks;
import dev.pinion.core.spi.Subject;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import java.util.List;
import java.util.concurrent.Executor;
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
 *   Abort, Answer ──┘                                  ▼
 *                                       InvocationDone to the kernel
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
  private final EngineLimits.Invoker limits;
  private final Lane<Effect.Invocation> lane;
  private final ServiceCaller caller;
  private final CompletionSink sink;
  private final InvokerCounters counters;
  private final @Nullable CallHandlers handlers;
  private final CallWatch watch;
  private final LateCalls.@Nullable Terms late;
  private final Consumer<Effect.Invocation> onInvocation = this::onInvocation;
  private final Object2ObjectHashMap<CallId, Call> calls = new Object2ObjectHashMap<>();
  private final TimeoutQueue<Call> timeouts;
  private long heldUntilNanos = Long.MIN_VALUE;

  /** An Invoker without handlers. */
  public Invoker(
      String role,
      EngineLimits.Invoker limits,
      Lane<Effect.Invocation> lane,
      ServiceCaller caller,
      CompletionSink sink,
      InvokerCounters counters) {
    this(role, limits, lane, caller, sink, counters, null, CallWatch.NONE, null);
  }

  /**
   * An Invoker whose calls and responses pass handlers.
   *
   * @param around handlers around calls
   * @param loop runs tasks on the event loop of this stage
   * @param codec codec of bodies
   * @param bindings source of the observer of calls of bound services, and of the addresses for
   *     late answers
   * @param clock clock that measures them
   * @param heap account of late answers until they are read
   */
  public Invoker(
      String role,
      EngineLimits.Invoker limits,
      Lane<Effect.Invocation> lane,
      ServiceCaller caller,
      CompletionSink sink,
      InvokerCounters counters,
      Around around,
      Executor loop,
      PayloadCodec codec,
      BindingSource bindings,
      Clock clock,
      HeapAccount heap) {
    this(
        role,
        limits,
        lane,
        caller,
        sink,
        counters,
        around.equals(Around.NOTHING) ? null : new CallHandlers(around, loop, codec),
        new CallWatch(bindings.observer(), clock::nanoTime),
        new LateCalls.Terms(bindings::callbacks, new Outcomes(codec), heap));
  }

  /**
   * An Invoker.
   *
   * @param role name of the stage
   * @param limits the time a call may take
   * @param lane requests of the kernels; this stage is its reader
   * @param caller caller that makes the calls, on the same event loop
   * @param sink receiver of the outcomes
   * @param counters written by this stage and its caller
   * @param handlers handlers of calls, or null when there are none
   * @param watch measurement of calls
   * @param late parameters of services that answer later, or null when there are none
   */
  private Invoker(
      String role,
      EngineLimits.Invoker limits,
      Lane<Effect.Invocation> lane,
      ServiceCaller caller,
      CompletionSink sink,
      InvokerCounters counters,
      @Nullable CallHandlers handlers,
      CallWatch watch,
      LateCalls.@Nullable Terms late) {
    this.watch = watch;
    this.late = late;
    this.handlers = handlers;
    this.role = role;
    this.limits = limits;
    this.lane = lane;
    this.caller = caller;
    this.sink = sink;
    this.counters = counters;
    this.timeouts = new TimeoutQueue<>(TimeUnit.MILLISECONDS.toNanos(limits.callTimeoutMillis()));
  }

  @Override
  public String role() {
    return role;
  }

  @Override
  public int doWork(long nowNanos, long epochMillis) {
    caller.beginCycle(nowNanos);
    int work = lane.drain(onInvocation, INVOCATIONS_PER_CYCLE);
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
    return Math.max(nextNanos, heldUntilNanos);
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
        Failures.of(ErrorType.RUNTIME, "the engine stopped before the call ended");
    for (Call call : List.copyOf(calls.values())) {
      call.cancel(stopped, Counter.FAILED);
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
      case Effect.Answer answer -> onAnswer(answer);
    }
  }

  private void onInvoke(Invoke invoke) {
    counters.increment(Counter.CALLS);
    Call call = new Call(invoke);
    if (calls.putIfAbsent(call.id, call) != null) {
      String problem = "expected one call at a time for each attempt, found a second " + call.id;
      LOG.error("{}: {}", role, problem);
      report(invoke, Failures.of(ErrorType.RUNTIME, problem), Counter.FAILED);
      return;
    }
    timeouts.add(call);
    call.begin();
  }

  private void onAbort(Effect.Abort abort) {
    Call call = calls.get(new CallId(abort.id(), abort.activity(), abort.attempt()));
    if (call == null) {
      counters.increment(Counter.ABORTS_IGNORED);
      return;
    }
    call.cancel(CallOutcome.Aborted.INSTANCE, Counter.ABORTED);
  }

  private void onAnswer(Effect.Answer answer) {
    boolean hasRoom = late == null || late.takeUp(answer.answer());
    Call call = calls.get(new CallId(answer.id(), answer.activity(), answer.attempt()));
    if (call == null) {
      heard(answer, Reception.NOT_AWAITED);
    } else if (!hasRoom) {
      heard(answer, Reception.NO_ROOM);
    } else {
      call.answered(answer);
    }
  }

  private void heard(Effect.Answer answer, Reception reception) {
    tell(
        answer.kernel(),
        answer.id(),
        new KernelEvent.LateAnswerHeard(answer.id(), reception, answer.replyTo()));
  }

  private int expireCalls(long nowNanos) {
    int expired = 0;
    for (Call call = timeouts.pollExpired(nowNanos);
        call != null;
        call = timeouts.pollExpired(nowNanos)) {
      if (call.wasHeldUp()) {
        timeouts.add(call);
        continue;
      }
      String detail = timeoutDetail(call);
      call.timedOut();
      call.cancel(Failures.of(ErrorType.TIMEOUT, detail), Counter.FAILED);
      expired++;
    }
    return expired;
  }

  private String timeoutDetail(Call call) {
    return "expected "
        + Failures.name(call.invoke.call())
        + " to end within "
        + limits.callTimeoutMillis()
        + " ms (invoker.callTimeoutMillis), found it waiting for "
        + call.awaits();
  }

  private void report(Invoke invoke, CallOutcome outcome, Counter counter) {
    counters.increment(counter);
    tell(
        invoke.kernel(),
        invoke.id(),
        new KernelEvent.InvocationDone(invoke.id(), invoke.activity(), invoke.attempt(), outcome));
  }

  private void tell(int kernel, InstanceId id, KernelEvent told) {
    if (!sink.offer(kernel, told)) {
      counters.increment(Counter.UNDELIVERED);
      LOG.error(
          "{}: expected kernel {} to have room for the outcome of a call of {}, found none: its"
              + " completion lane is smaller than its permits",
          role,
          kernel,
          id);
    }
  }

  private static Subject about(Invoke invoke) {
    return new Subject(invoke.task().definition(), invoke.service(), invoke.serviceClass());
  }

  /** Identity of a call. */
  private record CallId(InstanceId instance, int activity, int attempt) {}

  /** A call in progress. */
  private final class Call extends TimeoutQueue.Node<Call> implements ServiceCaller.Listener {
    final CallId id;
    final Invoke invoke;
    private ServiceCaller.@Nullable OngoingCall ongoing;
    private @Nullable LateCalls lateCalls;
    private boolean ended;
    private long begunNanos;

    Call(Invoke invoke) {
      this.id = new CallId(invoke.id(), invoke.activity(), invoke.attempt());
      this.invoke = invoke;
    }

    void begin() {
      try {
        Candidates candidates = invoke.candidates();
        if (candidates == null || candidates.isPlain()) {
          begunNanos = candidates == null ? 0 : watch.now();
          ongoing = around(caller).call(invoke.call(), this);
        } else {
          BoundCall.Terms terms =
              new BoundCall.Terms(limits.maxMappingSteps(), watch, invoke.serviceClass());
          BoundCall bound = new BoundCall(this::callerOf, invoke.call(), candidates, terms, this);
          ongoing = bound;
          bound.begin();
        }
      } catch (RuntimeException e) {
        LOG.error("{}: {} could not be begun", role, Failures.name(invoke.call()), e);
        onOutcome(Failures.of(ErrorType.RUNTIME, "the call could not be begun: " + e));
      }
    }

    /** Wraps a caller in handlers, where there are any. */
    private ServiceCaller around(ServiceCaller each) {
      return handlers == null || !handlers.stand(invoke.task().definition())
          ? each
          : handlers.around(each, about(invoke));
    }

    private ServiceCaller callerOf(ServiceEndpoint service) {
      LateCalls.Terms terms = late;
      if (!service.async() || terms == null) {
        return around(caller);
      }
      LateCalls known = lateCalls;
      if (known == null) {
        known = new LateCalls(terms, invoke, Invoker.this::heard);
        lateCalls = known;
      }
      return known.caller(service, caller, this::around);
    }

    void answered(Effect.Answer answer) {
      if (lateCalls == null) {
        heard(answer, Reception.NOT_AWAITED);
      } else {
        lateCalls.answered(answer);
      }
    }

    @Override
    public void onOutcome(CallOutcome outcome) {
      observe(outcome instanceof CallOutcome.Answered);
      end(outcome, outcome instanceof CallOutcome.Answered ? Counter.ANSWERED : Counter.FAILED);
    }

    @Override
    public void onWork(int since) {
      Looks.worked(
          since,
          Looks.Worker.INVOKER,
          invoke.task().definition(),
          invoke.task().pointer(),
          invoke.serviceClass());
    }

    /** Reports the end of a call of a plain service; calls in patterns report by themselves. */
    private void observe(boolean success) {
      Candidates candidates = invoke.candidates();
      if (!ended && candidates != null && candidates.isPlain()) {
        watch.ended(candidates.first().id(), invoke.serviceClass(), begunNanos, success);
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
      if (lateCalls != null) {
        lateCalls.end();
      }
    }

    boolean wasHeldUp() {
      return ongoing != null && ongoing.wasHeldUp();
    }

    String awaits() {
      return ongoing == null ? "its start" : ongoing.awaits();
    }
  }
}
