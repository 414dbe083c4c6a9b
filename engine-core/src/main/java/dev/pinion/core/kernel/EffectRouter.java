package dev.pinion.core.kernel;

import dev.pinion.core.message.Effect;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.Candidates;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.TaskObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Routes the effects of steps out of one kernel, calls and evaluations by permits, and keeps its
 * timers.
 */
final class EffectRouter implements EffectSink {
  private final int kernel;
  private final AbstractServices services;
  private final TaskObserver observer;
  private final KernelCounters counters;
  private final KernelOutlets outlets;
  private final DurableGate gate;
  private final Replies replies;
  private final Owner owner;
  private final TimerWheel timers;
  private final Permits<PendingCall> calls;
  private final Permits<PendingEvaluation> evaluations;
  private final Deque<KernelEvent.InvocationDone> refusals = new ArrayDeque<>(0);
  private long nowNanos;

  /** Whose instances these are. */
  interface Owner {
    /** An instance found no room for what it holds, at so many checks. */
    void onNoRoom(Instance instance, int check);

    /** An instance has ended. */
    void onEnded(Instance instance);
  }

  private record PendingCall(
      Activity activity,
      int attempt,
      HttpCall call,
      @Nullable Candidates candidates,
      @Nullable String service) {
    boolean isWanted() {
      return activity.awaiting == attempt;
    }
  }

  private record PendingEvaluation(
      Activity activity, int attempt, Expression<?> expression, Payload input) {
    boolean isWanted() {
      return activity.awaiting == attempt;
    }
  }

  EffectRouter(
      int kernel,
      EngineLimits.Kernel limits,
      AbstractServices services,
      TaskObserver observer,
      KernelCounters counters,
      KernelOutlets outlets,
      DurableGate gate,
      Replies replies,
      Owner owner,
      long nowNanos) {
    this.kernel = kernel;
    this.services = services;
    this.observer = observer;
    this.counters = counters;
    this.outlets = outlets;
    this.gate = gate;
    this.replies = replies;
    this.owner = owner;
    this.nowNanos = nowNanos;
    this.timers = new TimerWheel(nowNanos);
    this.calls = new Permits<>(limits.maxCalls(), PendingCall::isWanted, this::send);
    this.evaluations =
        new Permits<>(limits.maxEvaluations(), PendingEvaluation::isWanted, this::send);
  }

  /** Tells the time from which delays count. */
  void now(long nanos) {
    nowNanos = nanos;
  }

  Permits<?> calls() {
    return calls;
  }

  Permits<?> evaluations() {
    return evaluations;
  }

  TimerWheel timers() {
    return timers;
  }

  /** The outcome of a call that could not be made at all, or null when there is none to report. */
  KernelEvent.@Nullable InvocationDone pollRefusal() {
    return refusals.poll();
  }

  boolean hasRefusals() {
    return !refusals.isEmpty();
  }

  @Override
  public void entered(Activity activity) {
    observer.entered(
        activity.instance.id, activity.node.common().pointer(), activity.node.common().name());
  }

  @Override
  public void invoke(Activity activity, int attempt, HttpCall call) {
    try {
      AbstractServices.Binding bound = services.bound(activity, attempt, call);
      calls.request(
          new PendingCall(activity, attempt, bound.call(), bound.candidates(), bound.service()));
    } catch (ExpressionException e) {
      refusals.add(
          new KernelEvent.InvocationDone(
              activity.instance.id, activity.slot, attempt, new CallOutcome.Failed(e.error())));
    }
  }

  @Override
  public void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input) {
    counters.onHandedOver();
    evaluations.request(new PendingEvaluation(activity, attempt, expression, input));
  }

  @Override
  public void withdraw(Activity activity, int attempt) {
    boolean evaluation = activity.evaluating != 0;
    if (!activity.sent) {
      (evaluation ? evaluations : calls).withdraw();
    } else if (!evaluation) {
      expectRoom(
          outlets.invoke(new Effect.Abort(activity.instance.id, activity.slot, attempt)), "abort");
    }
  }

  @Override
  public void startTimer(Activity activity, int kind, int attempt, long delayNanos) {
    startTimerAt(activity, kind, attempt, nowNanos + delayNanos);
  }

  /** Sets a timer that is due at a monotonic time. */
  void startTimerAt(Activity activity, int kind, int attempt, long deadlineNanos) {
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
  public void reply(Instance instance, ReplyAddress to, KernelReply reply) {
    gate.pass(instance.due(), () -> replies.send(to, reply));
  }

  @Override
  public void foundNoRoom(Instance instance, int check) {
    owner.onNoRoom(instance, check);
  }

  @Override
  public void ended(Instance instance) {
    owner.onEnded(instance);
  }

  private void send(PendingCall pending) {
    gate.pass(pending.activity.instance.due(), () -> sendNow(pending));
  }

  /** A call that was withdrawn while it waited for the journal gives its permit to the next. */
  private void sendNow(PendingCall pending) {
    if (!pending.isWanted()) {
      calls.release();
      return;
    }
    Activity activity = pending.activity;
    activity.sent = true;
    Effect.Invoke invoke =
        new Effect.Invoke(
            kernel,
            activity.instance.id,
            activity.slot,
            pending.attempt,
            activity.name(),
            CallNames.named(activity, pending.attempt, pending.call),
            pending.candidates,
            pending.service,
            AbstractServices.serviceClass(activity.instance));
    expectRoom(outlets.invoke(invoke), "call");
  }

  private void send(PendingEvaluation pending) {
    Activity activity = pending.activity;
    activity.sent = true;
    Effect.Evaluate evaluate =
        new Effect.Evaluate(
            kernel,
            activity.instance.id,
            activity.slot,
            pending.attempt,
            activity.name(),
            pending.expression,
            pending.input,
            activity,
            AbstractServices.serviceClass(activity.instance));
    expectRoom(outlets.evaluate(evaluate), "evaluation");
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
