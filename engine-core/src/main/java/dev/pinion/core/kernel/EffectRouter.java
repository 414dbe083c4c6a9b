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
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.TaskObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
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
  private final HeapAccount heap;

  /** Counted heap bytes of large calls and evaluations outside the kernel. */
  private final Map<Errand, Long> outside = new HashMap<>();

  private final TimerWheel timers;
  private final Permits<PendingCall> calls;
  private final Permits<PendingEvaluation> evaluations;
  private final Deque<KernelEvent.InvocationDone> refusals = new ArrayDeque<>(0);
  private long nowNanos;

  /** Owner of the instances. */
  interface Owner {
    /** Records that an instance found no room for what it holds, at a numbered check. */
    void onNoRoom(Instance instance, int check);

    /** Handles the end of an instance. */
    void onEnded(Instance instance);

    /** Stops charging an activity for the body of its call; returns the bytes of the heap. */
    long releaseCall(Activity activity);

    /** Unpacks the values of an instance. */
    void wake(Instance instance);

    /** Allows the values of an instance to be packed again. */
    void rest(Instance instance);
  }

  private record Errand(InstanceId id, int attempt) {}

  /**
   * A call that waits for a permit; the call itself is {@link Activity#call}, so it is packed with
   * the instance.
   */
  private record PendingCall(
      Activity activity, int attempt, @Nullable Candidates candidates, @Nullable String service) {
    boolean isWanted() {
      return activity.awaiting == attempt;
    }
  }

  /** An evaluation that waits for a permit; its input is {@link Activity#asked}. */
  private record PendingEvaluation(Activity activity, int attempt, Expression<?> expression) {
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
      HeapAccount heap,
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
    this.heap = heap;
    this.calls = new Permits<>(limits.maxCalls(), this::hasRoom, PendingCall::isWanted, this::send);
    this.evaluations =
        new Permits<>(
            limits.maxEvaluations(), this::hasRoom, PendingEvaluation::isWanted, this::send);
  }

  /** Whether more calls may go out than are out already: their results need room. */
  private boolean hasRoom() {
    return heap.hasRoomOutside();
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
  void callEnded(KernelEvent.InvocationDone done) {
    returned(done.id(), done.attempt());
    if (done.outcome() instanceof CallOutcome.Answered answered) {
      heap.arrived(answered.output());
    }
    calls.release();
  }

  /** Handles the result of an evaluation. */
  void evaluationEnded(KernelEvent.Evaluated evaluated) {
    returned(evaluated.id(), evaluated.attempt());
    evaluations.release();
  }

  private void goesOut(InstanceId id, int attempt, long bytes) {
    long counted = heap.goesAway(bytes);
    if (counted > 0) {
      Long before = outside.put(new Errand(id, attempt), counted);
      if (before != null) { // abandoned before the instance was retried, and not reported yet
        heap.isBack(before);
      }
    }
  }

  private void returned(InstanceId id, int attempt) {
    Long counted = outside.isEmpty() ? null : outside.remove(new Errand(id, attempt));
    if (counted != null) {
      heap.isBack(counted);
    }
  }

  /** Sets the time from which delays count. */
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

  /** Outcome of a call that could not be made at all, or null when there is none to report. */
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
      activity.call = bound.call();
      calls.request(new PendingCall(activity, attempt, bound.candidates(), bound.service()));
    } catch (ExpressionException e) {
      activity.call = null;
      refusals.add(
          new KernelEvent.InvocationDone(
              activity.instance.id, activity.slot, attempt, new CallOutcome.Failed(e.error())));
    }
  }

  @Override
  public void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input) {
    counters.onHandedOver();
    evaluations.request(new PendingEvaluation(activity, attempt, expression));
  }

  @Override
  public void withdraw(Activity activity, int attempt) {
    boolean evaluation = activity.evaluating != 0;
    if (!activity.sent) {
      returned(activity.instance.id, attempt);
      (evaluation ? evaluations : calls).withdraw();
    } else if (evaluation) {
      activity.instance.evaluations--;
    } else {
      expectRoom(
          outlets.invoke(new Effect.Abort(activity.instance.id, activity.slot, attempt)), "abort");
    }
  }

  @Override
  public void startTimer(Activity activity, int kind, int attempt, long delayNanos) {
    startTimerAt(activity, kind, attempt, nowNanos + delayNanos);
  }

  /** Starts a timer that is due at a monotonic time. */
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

  /**
   * Sends a call. Its bytes are counted from here on: calls that wait for the journal leave
   * together.
   */
  private void send(PendingCall pending) {
    Activity activity = pending.activity;
    goesOut(activity.instance.id, pending.attempt, owner.releaseCall(activity));
    gate.pass(activity.instance.due(), () -> sendNow(pending));
  }

  /**
   * Sends a call that has waited for the journal; a withdrawn one passes its permit to the next.
   */
  private void sendNow(PendingCall pending) {
    if (!pending.isWanted()) {
      calls.release();
      return;
    }
    Instance instance = pending.activity.instance;
    if (instance.packed == null) {
      handOut(pending);
    } else {
      owner.wake(instance);
      handOut(pending);
      owner.rest(instance);
    }
  }

  private void handOut(PendingCall pending) {
    Activity activity = pending.activity;
    HttpCall call = Objects.requireNonNull(activity.call, "a call that waits");
    activity.call = null;
    activity.sent = true;
    Effect.Invoke invoke =
        new Effect.Invoke(
            kernel,
            activity.instance.id,
            activity.slot,
            pending.attempt,
            activity.name(),
            CallNames.named(activity, pending.attempt, call),
            pending.candidates,
            pending.service,
            AbstractServices.serviceClass(activity.instance));
    expectRoom(outlets.invoke(invoke), "call");
  }

  private void send(PendingEvaluation pending) {
    Activity activity = pending.activity;
    activity.sent = true;
    owner.wake(activity.instance);
    activity.instance.evaluations++; // whose values stay unpacked until the result arrives
    goesOut(activity.instance.id, pending.attempt, activity.instance.heapBytes);
    Effect.Evaluate evaluate =
        new Effect.Evaluate(
            kernel,
            activity.instance.id,
            activity.slot,
            pending.attempt,
            activity.name(),
            pending.expression,
            Objects.requireNonNull(activity.asked, "an input"),
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
