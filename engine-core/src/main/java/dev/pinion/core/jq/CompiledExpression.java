package dev.pinion.core.jq;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.code.AssignmentCode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.EvaluationLimits;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.JsonPrinter;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A jq expression, ready to be evaluated. Immutable; safe for use by any thread. */
public final class CompiledExpression implements Expression<Payload> {
  /** Steps enough to check any value that fits into a source. */
  private static final long CONSTANT_STEPS = 10_000_000;

  private final Code code;
  private final EvaluationLimits limits;
  private final boolean borrows;
  private final @Nullable Payload constant;

  public CompiledExpression(Code code, EvaluationLimits limits) {
    this.code = code;
    this.limits = limits;
    this.borrows = ResultCheck.borrowed(code);
    this.constant =
        code instanceof ConstructionCode.Constant known ? constant(known.value, limits) : null;
  }

  /** A known value as it leaves the evaluation, or null when that has to fail each time. */
  private static @Nullable Payload constant(JsonNode value, EvaluationLimits limits) {
    Budget budget = new Budget(CONSTANT_STEPS);
    try {
      return Payload.of(
          ResultCheck.checked(value, new EvaluationContext(Scope.EMPTY, budget, limits)));
    } catch (ExpressionException | BudgetExceededException e) {
      return null;
    }
  }

  @Override
  public Payload evaluate(Payload input, Scope scope, Budget budget) {
    if (constant != null) {
      budget.charge(1);
      return constant;
    }
    EvaluationContext evaluationContext = new EvaluationContext(scope, budget, limits);
    JsonNode in = input.json();
    JsonNode result = first(in, evaluationContext);
    if (same(result, in)) {
      return input;
    }
    return Payload.of(borrows ? result : ResultCheck.checked(result, evaluationContext));
  }

  @SuppressWarnings("ReferenceEquality") // only the same tree can share its payload
  private static boolean same(JsonNode a, JsonNode b) {
    return a == b;
  }

  private JsonNode first(JsonNode in, EvaluationContext evaluationContext) {
    try {
      JsonNode value = AssignmentCode.first(code, in, null, evaluationContext);
      return value == null ? JqValues.NULL : value;
    } catch (JqException e) {
      throw failure(e);
    }
  }

  /** Whether this expression has the same value for every input. */
  boolean isConstant() {
    return constant != null;
  }

  /** Adds all outputs up to the first error to the list, then throws the error. */
  void all(Payload input, Scope scope, Budget budget, List<Payload> outputs) {
    EvaluationContext evaluationContext = new EvaluationContext(scope, budget, limits);
    try {
      code.each(
          input.json(),
          null,
          null,
          evaluationContext,
          (value, valuePath) ->
              outputs.add(Payload.of(ResultCheck.checked(value, evaluationContext))));
    } catch (JqException e) {
      throw failure(e);
    }
  }

  /** All outputs. */
  List<Payload> all(Payload input, Scope scope, Budget budget) {
    List<Payload> outputs = new ArrayList<>();
    all(input, scope, budget, outputs);
    return outputs;
  }

  private static ExpressionException failure(JqException error) {
    JsonNode value = error.value();
    String told =
        value.isTextual() ? value.textValue() : JsonPrinter.excerpt(value) + " (not a string)";
    return new ExpressionException(told + error.detail() + error.location());
  }
}
