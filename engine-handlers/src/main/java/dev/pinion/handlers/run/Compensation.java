package dev.pinion.handlers.run;

import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.Step;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Effects to reverse when a message stops: those that can be undone, and those prepared but not
 * committed; the last one first.
 */
final class Compensation {
  private final ChainSteps steps;
  private final Deque<RecordedEffect> made = new ArrayDeque<>();
  private int repeats;
  private @Nullable Message stoppedAs;
  private boolean onlyPrepared;

  Compensation(ChainSteps steps) {
    this.steps = steps;
  }

  /** Records that a step has had its effect, or may have. */
  void record(Step step, View view) {
    switch (step.declaration().effect()) {
      case QUASI_ATOMIC, TRANSACTIONAL -> made.push(new RecordedEffect(step, view));
      case STATELESS, ATOMIC, NON_ATOMIC -> {}
    }
  }

  /** Records that a step has committed the effects of others. */
  void committed(Step step) {
    made.removeIf(each -> step.name().equals(each.step.partner()));
  }

  /**
   * Begins the compensation of a message that stops.
   *
   * @param message the message at its end
   * @param answered whether the message was answered, which is a good end: then only uncommitted
   *     effects are rolled back
   */
  void begin(Message message, boolean answered) {
    stoppedAs = message;
    onlyPrepared = answered;
    made.removeIf(
        each -> onlyPrepared && each.step.declaration().effect() != EffectClass.TRANSACTIONAL);
  }

  /** The next call that reverses an effect, or null when all is done. */
  @Nullable HandlerCall next() {
    RecordedEffect last = made.peek();
    Message message = stoppedAs;
    if (last == null || message == null) {
      return null;
    }
    Step partner = steps.partnerOf(last.step);
    return partner == null
        ? new HandlerCall(last.step, HandlerCall.CallKind.UNDO, last.view, message)
        : new HandlerCall(
            partner, HandlerCall.CallKind.ROLL_BACK, steps.view(message, partner), message);
  }

  void ended(HandlerCall handlerCall) {
    StepCounters counters = steps.counters(handlerCall.step());
    if (handlerCall.failure() == null) {
      counters.undone.increment();
    } else if (!handlerCall.timedOut() && repeats < handlerCall.step().declaration().retries()) {
      repeats++;
      return;
    } else {
      counters.undoFailures.increment();
      HandlerFailures.logUndo(handlerCall);
    }
    repeats = 0;
    made.pop();
  }

  /** An effect. */
  private record RecordedEffect(Step step, View view) {}
}
