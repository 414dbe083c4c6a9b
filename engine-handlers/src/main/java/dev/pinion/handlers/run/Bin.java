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
final class Bin {
  private final StageRun stage;
  private final int[] members;
  private int at;
  private int repeats;
  private int undoRepeats;
  private Call.Kind kind = Call.Kind.HANDLE;
  private @Nullable View view;
  private @Nullable Throwable failure;

  /**
   * Steps to run.
   *
   * @param members places of the steps in their stage
   */
  Bin(StageRun stage, int[] members) {
    this.stage = stage;
    this.members = members;
  }

  /** The next call, or null when all steps are done. */
  @Nullable Call next() {
    if (at == members.length) {
      return null;
    }
    Step step = stage.step(members[at]);
    if (view == null) {
      view = stage.view(step);
    }
    return new Call(step, kind, view, stage.message());
  }

  /** Handles the end of the last call. */
  void ended(Call call) {
    StepCounters counters = stage.counters(members[at]);
    if (call.kind() == Call.Kind.UNDO) {
      undone(call, counters);
      return;
    }
    counters.called(call.nanos());
    Throwable found = call.failure();
    if (found == null) {
      found = stage.accept(members[at], call.verdict());
      if (found == null) {
        advance();
        return;
      }
    }
    failed(call, found, counters);
  }

  private void failed(Call call, Throwable found, StepCounters counters) {
    counters.failures.increment();
    failure = found;
    EffectClass effect = call.step().declaration().effect();
    if (call.timedOut()) {
      counters.timeouts.increment();
      // A late call may still have its effect: only a step without effects is repeated.
      repeatOrGiveUp(call.step(), effect == EffectClass.STATELESS, counters);
    } else if (effect == EffectClass.QUASI_ATOMIC) {
      kind = Call.Kind.UNDO;
      undoRepeats = 0;
    } else {
      boolean inDoubt = found instanceof InDoubtException && effect == EffectClass.ATOMIC;
      repeatOrGiveUp(call.step(), effect.mayRepeat() && !inDoubt, counters);
    }
  }

  private void undone(Call call, StepCounters counters) {
    if (call.failure() == null) {
      counters.undone.increment();
      repeatOrGiveUp(call.step(), true, counters);
    } else if (call.timedOut() || undoRepeats++ >= call.step().declaration().retries()) {
      counters.undoFailures.increment();
      Failures.logUndo(call);
      repeatOrGiveUp(call.step(), false, counters);
    }
  }

  private void repeatOrGiveUp(Step step, boolean mayRepeat, StepCounters counters) {
    kind = Call.Kind.HANDLE;
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
