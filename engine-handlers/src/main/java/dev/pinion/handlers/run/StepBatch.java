package dev.pinion.handlers.run;

import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.InDoubtException;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.Step;
import org.jspecify.annotations.Nullable;

/**
 * Steps of one stage that one worker runs one after another. Repeats and undoes those that fail; a
 * single step can always be repeated, because it saw the message as it was when the stage began.
 */
final class StepBatch {
  private final StageResults stage;
  private final int[] members;
  private int at;
  private int repeats;
  private int undoRepeats;
  private HandlerCall.CallKind callKind = HandlerCall.CallKind.HANDLE;
  private @Nullable View view;
  private @Nullable Throwable failure;

  /**
   * Steps to run.
   *
   * @param members places of the steps in their stage
   */
  StepBatch(StageResults stage, int[] members) {
    this.stage = stage;
    this.members = members;
  }

  /** The next call, or null when all steps are done. */
  @Nullable HandlerCall next() {
    if (at == members.length) {
      return null;
    }
    Step step = stage.step(members[at]);
    if (view == null) {
      view = stage.view(step);
    }
    return new HandlerCall(step, callKind, view, stage.message());
  }

  /** Handles the end of the last call. */
  void ended(HandlerCall handlerCall) {
    StepCounters counters = stage.counters(members[at]);
    if (handlerCall.kind() == HandlerCall.CallKind.UNDO) {
      undone(handlerCall, counters);
      return;
    }
    counters.called(handlerCall.nanos());
    Throwable found = handlerCall.failure();
    if (found == null) {
      found = stage.accept(members[at], handlerCall.verdict());
      if (found == null) {
        advance();
        return;
      }
    }
    failed(handlerCall, found, counters);
  }

  private void failed(HandlerCall handlerCall, Throwable found, StepCounters counters) {
    counters.failures.increment();
    failure = found;
    EffectClass effect = handlerCall.step().declaration().effect();
    if (handlerCall.timedOut()) {
      counters.timeouts.increment();
      // A late call may still have its effect: only a step without effects is repeated.
      repeatOrGiveUp(handlerCall.step(), effect == EffectClass.STATELESS, counters);
    } else if (effect == EffectClass.QUASI_ATOMIC) {
      callKind = HandlerCall.CallKind.UNDO;
      undoRepeats = 0;
    } else {
      boolean inDoubt = found instanceof InDoubtException && effect == EffectClass.ATOMIC;
      repeatOrGiveUp(handlerCall.step(), effect.mayRepeat() && !inDoubt, counters);
    }
  }

  private void undone(HandlerCall handlerCall, StepCounters counters) {
    if (handlerCall.failure() == null) {
      counters.undone.increment();
      repeatOrGiveUp(handlerCall.step(), true, counters);
    } else if (handlerCall.timedOut()
        || undoRepeats++ >= handlerCall.step().declaration().retries()) {
      counters.undoFailures.increment();
      HandlerFailures.logUndo(handlerCall);
      repeatOrGiveUp(handlerCall.step(), false, counters);
    }
  }

  private void repeatOrGiveUp(Step step, boolean mayRepeat, StepCounters counters) {
    callKind = HandlerCall.CallKind.HANDLE;
    if (mayRepeat && repeats < step.declaration().retries()) {
      repeats++;
      counters.repeats.increment();
      return;
    }
    stage.giveUp(members[at], failure);
    advance();
  }

  private void advance() {
    at++;
    repeats = 0;
    view = null;
    failure = null;
  }
}
