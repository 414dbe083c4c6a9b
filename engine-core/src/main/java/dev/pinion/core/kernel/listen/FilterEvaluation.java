package dev.pinion.core.kernel.listen;

import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.kernel.step.event.EventKeys;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates parts of filters for one event. A part that fails lets the event not pass: events of
 * strangers must not make instances fault. One that is too long for an event loop is evaluated
 * elsewhere, and asked for again.
 */
final class FilterEvaluation {
  private static final Logger LOG = LoggerFactory.getLogger(FilterEvaluation.class);
  private static final int STEPS_PER_PART = 10;

  /** Bytes of an event that are weighed and recorded in the time of one step of an expression. */
  private static final int BYTES_PER_STEP = 16;

  private final long loopSteps;
  private final int maxChars;
  private final Budget budget;
  private final List<Answer> answers = new ArrayList<>();
  private Payload event = Payload.NULL;
  private long spent;
  private long parts;
  private long failed;

  /** The part that has to be evaluated elsewhere, or null. */
  private @Nullable LongPart pending;

  /** The answer of a part that was evaluated elsewhere; null when it failed. */
  private record Answer(LongPart part, @Nullable Object value) {}

  /**
   * A part that is evaluated elsewhere.
   *
   * @param scope the variables that it sees
   */
  record LongPart(Expression<?> expression, Payload event, Scope scope) {
    /** Whether it sees the variables of one listener. */
    @SuppressWarnings("ReferenceEquality") // parts of all listeners have this very scope
    boolean isOwn() {
      return scope != Scope.EMPTY;
    }

    @SuppressWarnings("ReferenceEquality") // the same question
    boolean asks(Expression<?> other, Scope by) {
      return expression == other && scope == by;
    }
  }

  /** Control flow: the value of a part is not known yet. */
  static final class PendingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("StaticAssignmentOfThrowable") // holds neither a stack trace nor a cause
    static final PendingException INSTANCE = new PendingException();

    private PendingException() {
      super("the value of a part of a filter is not known yet", null, false, false);
    }
  }

  /**
   * An evaluation.
   *
   * @param loopSteps steps of a part that is not too long for an event loop
   * @param maxChars most characters of the values of one filter's keys, or correlations
   */
  FilterEvaluation(long loopSteps, int maxChars) {
    this.loopSteps = loopSteps;
    this.maxChars = maxChars;
    this.budget = new Budget(loopSteps);
  }

  /** Steps spent so far. */
  long spent() {
    return spent;
  }

  /** Parts evaluated so far. */
  long parts() {
    return parts;
  }

  /** Parts that failed so far. */
  long failed() {
    return failed;
  }

  /** Charges other work, in steps of expressions. */
  void charge(long steps) {
    spent += steps;
  }

  /** Charges work on the whole of an event: who receives it weighs it. */
  void chargeWhole(Payload whole) {
    spent += whole.weight() / BYTES_PER_STEP;
  }

  /** Turns to an event; answers about the same one are kept. */
  @SuppressWarnings("ReferenceEquality") // the same event
  void turnTo(Payload next) {
    if (event != next) {
      event = next;
      answers.clear();
    }
  }

  /** Forgets the answers about single listeners. */
  void forgetOwn() {
    if (!answers.isEmpty()) {
      answers.removeIf(answer -> answer.part.isOwn());
    }
  }

  /** The part to evaluate elsewhere, which is then awaited; null for none. */
  @Nullable LongPart pending() {
    return pending;
  }

  /** Stores the answer of the pending part. */
  void answer(@Nullable Object value) {
    LongPart part = pending;
    pending = null;
    failed += value == null ? 1 : 0;
    if (part != null) {
      answers.add(new Answer(part, value));
    }
  }

  /** Whether the event passes a condition; without one, it does. */
  boolean passes(@Nullable Expression<Boolean> condition, Scope scope) {
    return condition == null || Boolean.TRUE.equals(value(condition, scope));
  }

  /** The text of the filter's keys in the event, or null when one has no value, or a long one. */
  @Nullable String key(EventFilter filter) {
    List<String> values = new ArrayList<>(filter.keys().size());
    for (EventFilter.EventKey key : filter.keys()) {
      String text = text(key.from(), maxChars);
      if (text == null) {
        return null;
      }
      values.add(text);
    }
    return EventKeys.joined(values);
  }

  /**
   * Values of the filter's correlations in the event, or null when one has no value, or they are
   * long together: they are recorded with the event.
   */
  @Nullable List<String> correlated(EventFilter filter) {
    List<String> values = new ArrayList<>(filter.correlations().size());
    int left = maxChars;
    for (EventFilter.EventCorrelation correlation : filter.correlations()) {
      String text = text(correlation.from(), left);
      if (text == null) {
        return null;
      }
      left -= text.length();
      values.add(text);
    }
    return values;
  }

  /** The text of a part of the event; null without a value, or when it has more characters. */
  private @Nullable String text(Expression<Payload> from, int most) {
    return value(from, Scope.EMPTY) instanceof Payload part && !part.isNull()
        ? EventKeys.text(part, most)
        : null;
  }

  private @Nullable Object value(Expression<?> expression, Scope scope) {
    for (Answer answer : answers) {
      if (answer.part.asks(expression, scope)) {
        return answer.value;
      }
    }
    parts++;
    spent += STEPS_PER_PART;
    budget.renew(loopSteps);
    try {
      return expression.evaluate(event, scope, budget);
    } catch (ExpressionException e) {
      failed++;
      return null;
    } catch (BudgetExceededException e) {
      pending = new LongPart(expression, event, scope);
      throw PendingException.INSTANCE;
    } catch (RuntimeException e) {
      LOG.error("a part of a filter of events failed inside the engine", e);
      failed++;
      return null;
    } finally {
      spent += loopSteps - Math.max(0, budget.stepsLeft());
    }
  }
}
