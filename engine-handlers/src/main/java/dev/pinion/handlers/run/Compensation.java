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
  private final Chain chain;
  private final Deque<Made> made = new ArrayDeque<>();
  private int repeats;
  private @Nullable Message stoppedAs;
  private boolean onlyPrepared;

  Compensation(Chain chain) {
    this.chain = chain;
  }

  /** Records that a step has had its effect, or may have. */
  void note(Step step, View view) {
    switch (step.declaration().effect()) {
      case QUASI_ATOMIC, TRANSACTIONAL -> made.push(new Made(step, view));
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
  @Nullable Call next() {
    Made last = made.peek();
    Message message = stoppedAs;
    if (last == null || message == null) {
      return null;
    }
    Step partner = chain.partnerOf(last.step);
    return partner == null
        ? new Call(last.step, Call.Kind.UNDO, last.view, message)
        : new Call(partner, Call.Kind.ROLL_BACK, chain.view(message, partner), message);
  }

  void ended(Call call) {
    StepCounters counters = chain.counters(chain.place(call.step()));
    if (call.failure() == null) {
      counters.undone.increment();
    } else if (!call.timedOut() && repeats < call.step().declaration().retries()) {
      repeats++;
      return;
    } else {
      counters.undoFailures.increment();
      Failures.logUndo(call);
    }
    repeats = 0;
    made.pop();
  }

  /** An effect. */
  private record Made(Step step, View view) {}
}
