package dev.pinion.core.invoker.authentication;

import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.Map;
import java.util.TreeMap;

/**
 * Evaluation of expressions with secrets, within one budget. What an expression says when it fails
 * is left out: it may repeat the values that it worked on.
 */
final class SecretEvaluation {
  private final String pointer;
  private final long maxSteps;
  private final Budget budget;
  private final Map<String, Payload> variables;

  /**
   * An evaluation.
   *
   * @param pointer JSON pointer for errors
   * @param captured values of the other variables, by name
   * @param secrets values of secrets, by name
   * @param maxSteps most steps of all expressions
   */
  SecretEvaluation(
      String pointer, Map<String, Payload> captured, Map<String, Payload> secrets, long maxSteps) {
    this.pointer = pointer;
    this.maxSteps = maxSteps;
    this.budget = new Budget(maxSteps);
    this.variables = new TreeMap<>(captured);
    variables.put("secrets", Payload.object(secrets));
  }

  /** Defines a further variable. */
  void define(String name, Payload value) {
    variables.put(name, value);
  }

  /**
   * The value of an expression.
   *
   * @throws ExpressionException when it has none
   */
  <T> T of(Expression<T> expression, Payload input) {
    Scope scope = variables::get;
    try {
      return expression.evaluate(input, scope, budget);
    } catch (BudgetExceededException e) {
      throw failure(
          ErrorType.EXPRESSION,
          "expected the expressions that use secrets to end within "
              + maxSteps
              + " steps (invoker.maxMappingSteps), but they did not");
    } catch (ExpressionException e) {
      boolean configuration = e.error().type().equals(ErrorType.CONFIGURATION.uri());
      throw failure(
          configuration ? ErrorType.CONFIGURATION : ErrorType.EXPRESSION,
          "an expression that uses secrets failed; why is left out, as it could show them");
    }
  }

  private ExpressionException failure(ErrorType type, String detail) {
    return new ExpressionException(CallFailures.of(type, detail + " (" + pointer + ")").error());
  }
}
