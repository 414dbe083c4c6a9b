package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ExpressionException;
import org.jspecify.annotations.Nullable;

/** The first output of an expression, or null; knows the expression's place in a definition. */
public final class LocatedCode extends Code.SingleValue {
  /** The code of the expression. */
  public final Code code;

  private final String place;

  /**
   * Code of an expression.
   *
   * @param place text added to its errors, by {@link ExpressionLocation}
   */
  public LocatedCode(Code code, String place) {
    super(code.height + 2);
    this.code = code;
    this.place = place;
  }

  @Override
  public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    try {
      JsonNode value = AssignmentCode.first(code, in, env, evaluationContext);
      return value == null ? JqValues.NULL : value;
    } catch (JqException e) {
      throw e.at(place);
    } catch (ExpressionException e) {
      throw ExpressionLocation.located(e, place);
    } catch (BudgetExceededException e) {
      evaluationContext.budgetExceededAt(place);
      throw e;
    }
  }
}
