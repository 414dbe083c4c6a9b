package dev.pinion.core.kernel;

import dev.pinion.core.kernel.listen.EventMatcher;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.TimerWheel;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.call.CallOutcome;

/**
 * Returns the effects of steps to their instances: outcomes of calls and evaluations, due timers,
 * and calls that could not be made. Kernel thread only.
 */
final class EffectCompletions {
  private final Instances instances;
  private final EffectRouter router;
  private final Turns turns;
  private final KernelPartitions kernelPartitions;
  private final CallbackRelay callbackRelay;
  private final EventMatcher matcher;
  private final WallClockTimers wallClock;

  EffectCompletions(
      Instances instances,
      EffectRouter router,
      Turns turns,
      KernelPartitions kernelPartitions,
      CallbackRelay callbackRelay,
      EventMatcher matcher,
      WallClockTimers wallClock) {
    this.instances = instances;
    this.router = router;
    this.turns = turns;
    this.kernelPartitions = kernelPartitions;
    this.callbackRelay = callbackRelay;
    this.matcher = matcher;
    this.wallClock = wallClock;
  }

  /** Handles what an Invoker or an evaluator reports. */
  void onCompletion(Completion completion) {
    switch (completion) {
      case Event.CallCompleted done -> {
        router.callEnded(done);
        kernelPartitions.onCallEnded(done);
        if (!(done.outcome() instanceof CallOutcome.Aborted)) {
          turns.submit(done.id(), done);
        }
      }
      case Event.ExpressionEvaluated answer when answer.attempt() == EventDelivery.FILTER_ATTEMPT ->
          matcher.answer(answer.result());
      case Event.ExpressionEvaluated expressionEvaluated -> {
        router.evaluationEnded(expressionEvaluated);
        turns.submit(expressionEvaluated.id(), expressionEvaluated);
      }
      case Completion.CallbackHandled heard ->
          callbackRelay.onHandled(heard, instances.isReleased(heard.id().partition()));
    }
  }

  /** Fires the timer that has been due for longest; returns false when none is due. */
  boolean fireTimer(long nowNanos) {
    TimerWheel.Timer timer = router.timers().pollDue(nowNanos);
    if (timer == null) {
      return false;
    }
    timer.activity.timer(timer.kind, null);
    if (wallClock.postpones(timer)) {
      return true;
    }
    instances.counters().onTimer(timer.latenessNanos(nowNanos));
    Instance instance = timer.activity.instance();
    turns.submit(
        instance,
        new Event.TimerFired(instance.id(), timer.activity.slot(), timer.kind, timer.attempt));
    return true;
  }

  /** Reports a call that could not be made to its instance; returns false when there is none. */
  boolean reportFailedCall() {
    Event.CallCompleted refusal = router.pollFailedCall();
    if (refusal == null) {
      return false;
    }
    turns.submit(refusal.id(), refusal);
    return true;
  }
}
