package dev.pinion.core.kernel;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates expressions on the event loop as long as they are short, and hands longer ones to
 * another thread.
 *
 * <p>Counts what one turn of an instance spends, so that many short evaluations do not hold the
 * loop either.
 */
final class Evaluation {
  private final EffectSink effects;
  private final long loopSteps;
  private final Budget budget;
  private long turnStepsLeft;

  Evaluation(EffectSink effects, long loopSteps) {
    this.effects = effects;
    this.loopSteps = loopSteps;
    this.budget = new Budget(loopSteps);
  }

  /** Starts the account of another turn. */
  void beginTurn() {
    turnStepsLeft = loopSteps;
  }

  /** Whether this turn has spent what one evaluation may spend. */
  boolean turnIsSpent() {
    return turnStepsLeft <= 0;
  }

  /**
   * The value of an expression.
   *
   * @throws Suspended when the value has to be waited for
   * @throws dev.pinion.core.model.ExpressionException when the expression fails
   */
  <T> T of(Activity activity, Expression<T> expression, Payload input) {
    if (activity.remembers(expression, input)) {
      return remembered(activity, expression, input);
    }
    activity.nowEpochMillis = activity.instance.nowEpochMillis;
    budget.renew(loopSteps);
    try {
      return expression.evaluate(input, activity, budget);
    } catch (BudgetExceededException e) {
      handOver(activity, expression, input);
      throw Suspended.INSTANCE;
    } finally {
      turnStepsLeft -= loopSteps - Math.max(0, budget.stepsLeft());
    }
  }

  /** The value of a transformation; without one, the input. */
  Payload transform(Activity activity, @Nullable Expression<Payload> expression, Payload input) {
    return expression == null ? input : of(activity, expression, input);
  }

  /** The value of a condition; without one, true. */
  boolean holds(Activity activity, @Nullable Expression<Boolean> condition, Payload input) {
    return condition == null || of(activity, condition, input);
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the value is what this very expression evaluated to, so it is a T
  private static <T> T remembered(Activity activity, Expression<T> expression, Payload input) {
    return (T) activity.remembered(expression, input);
  }

  private void handOver(Activity activity, Expression<?> expression, Payload input) {
    int attempt = activity.instance.nextAttempt();
    activity.awaiting = attempt;
    activity.evaluating = expression;
    activity.evaluatingOn = input;
    activity.instance.busy(1);
    effects.evaluate(activity, attempt, expression, input);
  }
}
