package dev.pinion.core.kernel;

import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.kernel.counters.KernelCounters;
import dev.pinion.core.kernel.listen.EventMatcher;
import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.kernel.output.InFlightBytes;
import dev.pinion.core.kernel.output.OutputCommitQueue;
import dev.pinion.core.kernel.output.Permits;
import dev.pinion.core.kernel.output.ReplyQueue;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.CallIdempotencyKeys;
import dev.pinion.core.kernel.step.EffectSink;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.TimerSink;
import dev.pinion.core.kernel.step.TimerWheel;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.limits.KernelLimits;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.spi.InstanceObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes the effects of steps out of one kernel, calls and evaluations by permits, and keeps its
 * timers.
 */
public final class EffectRouter implements EffectSink, TimerSink {
  private static final Logger LOG = LoggerFactory.getLogger(EffectRouter.class);

  private final int kernel;
  private final ServiceBinder services;
  private final InstanceObserver observer;
  private final KernelCounters counters;
  private final EffectLanes lanes;
  private final OutputCommitQueue commitQueue;
  private final ReplyQueue replyQueue;
  private final Instances instances;
  private final MemoryAccount memoryAccount;
  private final HeapAccount heap;
  private final InFlightBytes inFlightBytes;
  private final EventMatcher matcher;
  private final TimerWheel timers;
  private final Permits<PendingCall> calls;
  private final Permits<PendingEvaluation> evaluations;
  private final Deque<Event.CallCompleted> failedCalls = new ArrayDeque<>(0);
  private final ChildQueue children;
  private long nowNanos;

  /**
   * Where effects leave the kernel.
   *
   * @param lanes receivers of calls, evaluations and replies
   * @param observer notified of what tasks do
   * @param commitQueue holds replies until the records before them are durable
   * @param replies sends replies
   * @param matcher finds those who listen to an event
   */
  record Outputs(
      EffectLanes lanes,
      InstanceObserver observer,
      OutputCommitQueue commitQueue,
      ReplyQueue replies,
      EventMatcher matcher) {}

  /**
   * A call that waits for a permit; the call itself is {@link Activity#call}, so it is packed with
   * the instance.
   */
  private record PendingCall(
      Activity activity,
      int attempt,
      @Nullable ServiceCandidates candidates,
      @Nullable String service) {
    boolean isPending() {
      return activity.awaiting() == attempt;
    }
  }

  /** An evaluation that waits for a permit; its input is {@link Activity#evaluationInput}. */
  private record PendingEvaluation(Activity activity, int attempt, Expression<?> expression) {
    boolean isPending() {
      return activity.awaiting() == attempt;
    }
  }

  EffectRouter(
      int kernel,
      KernelLimits limits,
      ServiceBinder services,
      Outputs outputs,
      Instances instances,
      long nowNanos) {
    this.kernel = kernel;
    this.services = services;
    this.observer = outputs.observer();
    this.counters = instances.counters();
    this.lanes = outputs.lanes();
    this.commitQueue = outputs.commitQueue();
    this.replyQueue = outputs.replies();
    this.matcher = outputs.matcher();
    this.instances = instances;
    this.memoryAccount = instances.memoryAccount();
    this.children = new ChildQueue(instances);
    this.nowNanos = nowNanos;
    this.timers = new TimerWheel(nowNanos);
    this.heap = memoryAccount.heap();
    this.inFlightBytes = new InFlightBytes(heap);
    this.calls =
        new Permits<>(limits.maxCalls(), this::hasRoom, PendingCall::isPending, this::send);
    this.evaluations =
        new Permits<>(
            limits.maxEvaluations(), this::hasRoom, PendingEvaluation::isPending, this::send);
  }

  /** Whether more calls may go out than are out already: their results need room. */
  private boolean hasRoom() {
    return heap.hasRoomForCalls();
  }

  /** Sends what has waited for room; returns how much. */
  int grant() {
    return calls.grant() + evaluations.grant();
  }

  /** Whether calls or evaluations wait for room, which other kernels may free. */
  boolean waitsForRoom() {
    return calls.waitsForRoom() || evaluations.waitsForRoom();
  }

  /** Handles the outcome of a call. */
  void callEnded(Event.CallCompleted done) {
    inFlightBytes.release(done.id(), done.attempt());
    if (done.outcome() instanceof CallOutcome.Succeeded succeeded) {
      heap.endTransfer(succeeded.output());
    }
    calls.release();
  }

  /** Handles the result of an evaluation. */
  void evaluationEnded(Event.ExpressionEvaluated expressionEvaluated) {
    inFlightBytes.release(expressionEvaluated.id(), expressionEvaluated.attempt());
    evaluations.release();
  }

  /** Sets the time from which delays count. */
  public void setTime(long nanos) {
    nowNanos = nanos;
  }

  public Permits<?> calls() {
    return calls;
  }

  public Permits<?> evaluations() {
    return evaluations;
  }

  public TimerWheel timers() {
    return timers;
  }

  /** Outcome of a call that could not be made at all, or null when there is none to report. */
  Event.@Nullable CallCompleted pollFailedCall() {
    return failedCalls.poll();
  }

  boolean hasFailedCalls() {
    return !failedCalls.isEmpty();
  }

  @Override
  public void entered(Activity activity) {
    if (activity.keepsSchedule()) {
      return; // no task of a document
    }
    observer.onTaskEntered(
        activity.instance().id(),
        activity.node().attributes().pointer(),
        activity.node().attributes().name());
  }

  @Override
  public void left(
      Activity activity, HistoryEvent.EventKind eventKind, @Nullable WorkflowError error) {
    if (activity.keepsSchedule()) {
      return;
    }
    long millis = activity.instance().nowEpochMillis() - activity.startedAtEpochMillis();
    counters.onTaskEnded(activity.node(), eventKind, millis);
  }

  @Override
  public void invoke(Activity activity, int attempt, CallRequest call) {
    try {
      ServiceBinder.CallBinding bound = services.bind(activity, attempt, call);
      activity.prepare(bound.call());
      calls.request(new PendingCall(activity, attempt, bound.candidates(), bound.service()));
    } catch (ExpressionException e) {
      activity.prepare(null);
      failedCalls.add(
          new Event.CallCompleted(
              activity.instance().id(),
              activity.slot(),
              attempt,
              new CallOutcome.Failed(e.error())));
    }
  }

  /** What is under way between instances and their children. */
  public ChildQueue children() {
    return children;
  }

  @Override
  public void changed(Instance instance, HistoryEvent.EventKind eventKind) {
    children.changed(instance, eventKind);
  }

  @Override
  public void startChild(Activity activity, int attempt, ChildStart start) {
    children.request(activity);
  }

  @Override
  public void passedOver(Activity activity, long missed, long skipped) {
    counters.schedules().passedOver(missed, skipped);
    if (missed > 0) {
      LOG.warn(
          "schedule {} ({}): {} due times have passed without a run, because none could begin",
          activity.instance().graph().key(),
          activity.instance().id(),
          missed);
    }
  }

  /** Drops the start that an activity wants; it is made again if it is needed. */
  public void dropStart(Activity activity) {
    memoryAccount.releaseCall(activity);
    activity.prepare(null);
  }

  @Override
  public void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input) {
    counters.onOffloaded();
    evaluations.request(new PendingEvaluation(activity, attempt, expression));
  }

  @Override
  public void withdraw(Activity activity, int attempt) {
    boolean evaluation = activity.evaluating() != 0;
    if (!evaluation && activity.startsChildren()) {
      children.withdraw(activity, attempt);
    } else if (!activity.sent()) {
      inFlightBytes.release(activity.instance().id(), attempt);
      (evaluation ? evaluations : calls).withdraw();
    } else if (evaluation) {
      activity.instance().evaluationsSent(-1);
    } else {
      expectRoom(
          lanes.invoke(new Effect.Abort(activity.instance().id(), activity.slot(), attempt)),
          "abort");
    }
  }

  @Override
  public void startTimer(Activity activity, int kind, int attempt, long delayNanos) {
    startTimerAt(activity, kind, attempt, nowNanos + delayNanos);
  }

  @Override
  public void startTimerAt(Activity activity, int kind, int attempt, long deadlineNanos) {
    TimerWheel.Timer timer = new TimerWheel.Timer(activity, kind, attempt);
    timers.start(timer, deadlineNanos);
    activity.timer(kind, timer);
  }

  @Override
  public void cancelTimer(Activity activity, int kind) {
    TimerWheel.Timer timer = activity.timer(kind);
    if (timer != null) {
      timers.cancel(timer);
      activity.timer(kind, null);
    }
  }

  @Override
  public void listen(Activity activity) {
    memoryAccount.chargeListening(matcher.listen(activity));
  }

  /** Has an activity that comes from its state receive the events since it began. */
  public void listenAgain(Activity activity) {
    memoryAccount.chargeListening(matcher.listenAgain(activity));
  }

  /**
   * Tells that instances consumed events before a start.
   *
   * @param first position of the first of them
   * @param last position of the last of them
   * @param atMillis wall-clock time
   */
  public void consumedBefore(long first, long last, long atMillis) {
    matcher.consumedBefore(first, last, atMillis);
  }

  @Override
  public void listenLess(Activity activity, int filter) {
    matcher.listenLess(activity, filter);
  }

  @Override
  public void unlisten(Activity activity) {
    memoryAccount.chargeListening(-matcher.unlisten(activity));
  }

  /** Refuses a request at once: nothing of it is recorded. */
  <R extends Reply> void refuse(ReplyAddress<R> to, R reply) {
    replyQueue.send(to, reply);
  }

  /** Reports the start of an instance to the observer of bound services. */
  void started(Instance instance) {
    services.started(instance);
  }

  @Override
  public <R extends Reply> void reply(Instance instance, ReplyAddress<R> to, R reply) {
    commitQueue.submit(instance.due(), () -> replyQueue.send(to, reply));
  }

  @Override
  public void ended(Instance instance) {
    instances.end(instance);
    children.ended(instance);
    services.ended(instance, instance.view());
  }

  /**
   * Sends a call. Its bytes are counted from here on: calls that wait for the journal leave
   * together.
   */
  private void send(PendingCall pending) {
    Activity activity = pending.activity;
    long heapBytes = memoryAccount.releaseCall(activity);
    inFlightBytes.charge(activity.instance().id(), pending.attempt, heapBytes);
    commitQueue.submit(activity.instance().due(), () -> sendNow(pending));
  }

  /**
   * Sends a call that has waited for the journal; a withdrawn one passes its permit to the next.
   */
  private void sendNow(PendingCall pending) {
    if (!pending.isPending()) {
      calls.release();
      return;
    }
    Instance instance = pending.activity.instance();
    if (instance.packedValues() == null) {
      handOut(pending);
    } else {
      memoryAccount.wake(instance);
      handOut(pending);
      memoryAccount.rest(instance);
    }
  }

  private void handOut(PendingCall pending) {
    Activity activity = pending.activity;
    CallRequest call = Objects.requireNonNull(activity.call(), "a call that waits");
    activity.send();
    Effect.Invoke invoke =
        new Effect.Invoke(
            kernel,
            activity.instance().id(),
            activity.slot(),
            pending.attempt,
            activity.name(),
            CallIdempotencyKeys.withIdempotencyKey(activity, pending.attempt, call),
            pending.candidates,
            pending.service,
            ServiceBinder.serviceClass(activity.instance()));
    expectRoom(lanes.invoke(invoke), "call");
  }

  private void send(PendingEvaluation pending) {
    Activity activity = pending.activity;
    activity.send();
    memoryAccount.wake(activity.instance());
    activity.instance().evaluationsSent(1); // its values stay unpacked until the result arrives
    long heapBytes = activity.instance().heapBytes();
    inFlightBytes.charge(activity.instance().id(), pending.attempt, heapBytes);
    Effect.Evaluate evaluate =
        new Effect.Evaluate(
            kernel,
            activity.instance().id(),
            activity.slot(),
            pending.attempt,
            activity.name(),
            pending.expression,
            Objects.requireNonNull(activity.evaluationInput(), "an input"),
            activity,
            ServiceBinder.serviceClass(activity.instance()));
    expectRoom(lanes.evaluate(evaluate), "evaluation");
  }

  private void expectRoom(boolean taken, String what) {
    if (!taken) {
      throw new IllegalStateException(
          "expected room for every "
              + what
              + " that has a permit, but the lane out of kernel-"
              + kernel
              + " is full");
    }
  }
}
