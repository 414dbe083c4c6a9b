package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import org.jspecify.annotations.Nullable;

/** The first output of an expression, or null; another value when its evaluation fails. */
public final class FallbackCode extends Code.SingleValue {
  private final Code code;
  private final JsonNode otherwise;

  public FallbackCode(Code code, JsonNode otherwise) {
    super(code.height + 2);
    this.code = code;
    this.otherwise = otherwise;
  }

  @Override
  public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    try {
      JsonNode value = AssignmentCode.first(code, in, env, evaluationContext);
      return value == null ? JqValues.NULL : value;
    } catch (JqException e) {
      return otherwise;
    } catch (ExpressionException e) {
      if (e.error().type().equals(ErrorType.EXPRESSION.uri())) {
        return otherwise;
      }
      throw e;
    }
  }
}
