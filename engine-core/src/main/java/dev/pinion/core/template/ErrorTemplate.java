package dev.pinion.core.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.WorkflowError;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes errors from a {@code raise} task. Each part may be constant or an expression, and is
 * checked by {@link #typeOf} or {@link #partOf}, so that an error about it gives its place.
 * Immutable.
 *
 * @param type yields the URI reference of the kind of error
 * @param status yields the status, an integer from 100 to 599
 * @param title yields the title or null; or null itself
 * @param detail yields the detail or null; or null itself
 * @param instance yields the JSON pointer of the task to blame or null; or null itself
 */
public record ErrorTemplate(
    Expression<Payload> type,
    Expression<Payload> status,
    @Nullable Expression<Payload> title,
    @Nullable Expression<Payload> detail,
    @Nullable Expression<Payload> instance)
    implements Expression<WorkflowError> {
  private static final int MIN_STATUS = 100;
  private static final int MAX_STATUS = 599;

  /** The type of an error: a string; anything else is an error of type expression. */
  public static Expression<Payload> typeOf(Expression<Payload> expression) {
    return (input, scope, budget) -> {
      Payload value = expression.evaluate(input, scope, budget);
      return text("type", value, value.json().isTextual());
    };
  }

  /**
   * A part of an error: a string or null; anything else is an error of type expression.
   *
   * @param part title, detail or instance
   */
  public static Expression<Payload> partOf(String part, Expression<Payload> expression) {
    return (input, scope, budget) -> {
      Payload value = expression.evaluate(input, scope, budget);
      return text(part, value, value.json().isTextual() || value.json().isNull());
    };
  }

  private static Payload text(String part, Payload value, boolean valid) {
    if (!valid) {
      throw new ExpressionException(
          "expected a string as "
              + part
              + " of an error, found "
              + JqValues.describe(value.json()));
    }
    return value;
  }

  @Override
  public WorkflowError evaluate(Payload input, Scope scope, Budget budget) {
    return new WorkflowError(
        type.evaluate(input, scope, budget).json().textValue(),
        status(status.evaluate(input, scope, budget).json()),
        text(title, input, scope, budget),
        text(detail, input, scope, budget),
        text(instance, input, scope, budget));
  }

  private static @Nullable String text(
      @Nullable Expression<Payload> part, Payload input, Scope scope, Budget budget) {
    return part == null ? null : part.evaluate(input, scope, budget).json().textValue();
  }

  private static int status(JsonNode value) {
    if (value.canConvertToInt()
        && value.isIntegralNumber()
        && value.intValue() >= MIN_STATUS
        && value.intValue() <= MAX_STATUS) {
      return value.intValue();
    }
    throw new ExpressionException(
        String.format(
            Locale.ROOT,
            "expected an integer from %d to %d as status of an error, found %s",
            MIN_STATUS,
            MAX_STATUS,
            JqValues.describe(value)));
  }
}
