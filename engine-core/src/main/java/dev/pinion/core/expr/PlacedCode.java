package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ExpressionException;
import org.jspecify.annotations.Nullable;

/** The first output of an expression, or null; knows the expression's place in a definition. */
final class PlacedCode extends Code.Value {
  /** The code of the expression. */
  final Code code;

  private final String place;

  /**
   * Code of an expression.
   *
   * @param place text added to its errors, by {@link ExpressionPlace}
   */
  PlacedCode(Code code, String place) {
    super(code.height + 2);
    this.code = code;
    this.place = place;
  }

  @Override
  JsonNode one(JsonNode in, @Nullable Env env, Run run) {
    try {
      JsonNode value = AssignCode.first(code, in, env, run);
      return value == null ? Json.NULL : value;
    } catch (JqError e) {
      throw e.at(place);
    } catch (ExpressionException e) {
      throw ExpressionPlace.placed(e, place);
    } catch (BudgetExceededException e) {
      run.spentAt(place);
      throw e;
    }
  }
}
