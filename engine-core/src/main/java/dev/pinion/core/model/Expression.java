package dev.pinion.core.model;

/**
 * A compiled, pure function of a payload and the variables in scope: a jq expression, a template of
 * several, or a schema check.
 *
 * <p>Pure and safe for use by any thread: the same input and scope give the same result or the same
 * exception, so an evaluation that ran out of a small budget may be started again under a larger
 * one on another thread.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface Expression<T> {
  /**
   * Evaluates the expression.
   *
   * @param input the value of {@code .}
   * @param scope the variables in scope
   * @param budget budget of the evaluation, charged as it proceeds
   * @throws ExpressionException when the expression fails for these values
   * @throws BudgetExceededException when the budget is spent before the result is known
   */
  T evaluate(Payload input, Scope scope, Budget budget);
}
