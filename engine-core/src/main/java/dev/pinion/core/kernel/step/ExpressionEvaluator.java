package dev.pinion.core.kernel.step;

import dev.pinion.core.kernel.step.phase.EvaluationPendingException;
import dev.pinion.core.kernel.step.phase.PhaseReplay;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates short expressions on the event loop and hands longer ones to another thread.
 *
 * <p>Counts the steps that one turn of an instance spends, so that many short evaluations do not
 * hold the loop either.
 */
final class ExpressionEvaluator {
  private final EffectSink effects;
  private final long loopSteps;
  private final Budget budget;
  private long spent;
  private long turnEnds;
  private @Nullable PhaseReplay phaseReplay;

  ExpressionEvaluator(EffectSink effects, long loopSteps) {
    this.effects = effects;
    this.loopSteps = loopSteps;
    this.budget = new Budget(loopSteps);
  }

  /** Resets the count for another turn. */
  void beginTurn() {
    turnEnds = spent + loopSteps;
  }

  /** Has a repetition answer the questions from now on; after null they are evaluated as usual. */
  void replay(@Nullable PhaseReplay by) {
    phaseReplay = by;
  }

  /** Whether this turn has spent as much as one evaluation may spend. */
  boolean turnIsSpent() {
    return spent >= turnEnds;
  }

  /** Charges the turn for other work, in steps of expressions. */
  void charge(long steps) {
    spent += steps;
  }

  /** Steps spent so far, by all turns. */
  long spent() {
    return spent;
  }

  /**
   * The value of an expression.
   *
   * @throws EvaluationPendingException when the value has to be waited for
   * @throws dev.pinion.core.model.ExpressionException when the expression fails
   */
  <T> T evaluate(Activity activity, Expression<T> expression, Payload input) {
    int question = activity.nextEvaluation();
    if (activity.isMemoized(question)) {
      return remembered(activity, expression, question);
    }
    if (phaseReplay != null) {
      return replayed(phaseReplay, activity, question, expression, input);
    }
    budget.renew(loopSteps);
    try {
      return expression.evaluate(input, activity, budget);
    } catch (BudgetExceededException e) {
      offload(activity, question, expression, input);
      throw EvaluationPendingException.INSTANCE;
    } finally {
      spent += loopSteps - Math.max(0, budget.stepsLeft());
    }
  }

  private static <T> T replayed(
      PhaseReplay by, Activity activity, int question, Expression<T> asked, Payload about) {
    T answer = by.answer(activity, question, asked, about);
    if (by.isAnswered(question)) {
      activity.restoreMemo(question, answer, null);
    }
    if (by.isLast(question)) {
      throw EvaluationPendingException.INSTANCE;
    }
    return answer;
  }

  /** The value of a transformation; without one, the input. */
  Payload transform(Activity activity, @Nullable Expression<Payload> expression, Payload input) {
    return expression == null ? input : evaluate(activity, expression, input);
  }

  /** The value of a condition; without one, true. */
  boolean isTrue(Activity activity, @Nullable Expression<Boolean> condition, Payload input) {
    return condition == null || evaluate(activity, condition, input);
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway",
    "UnusedVariable"
  }) // the stored result is that of this very expression, so it is a T
  private static <T> T remembered(Activity activity, Expression<T> expression, int question) {
    return (T) activity.memoized(question);
  }

  private void offload(Activity activity, int question, Expression<?> expression, Payload input) {
    int attempt = activity.instance.nextAttempt();
    activity.awaiting = attempt;
    activity.sent = false;
    activity.evaluating = question;
    activity.evaluationInput = input;
    activity.instance.pending(1);
    effects.evaluate(activity, attempt, expression, input);
  }
}
