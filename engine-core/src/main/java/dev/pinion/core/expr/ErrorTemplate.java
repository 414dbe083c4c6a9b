package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.WorkflowError;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes errors out of what a {@code raise} task says; each part may be constant or an expression.
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

  @Override
  public WorkflowError evaluate(Payload input, Scope scope, Budget budget) {
    String uri = text("type", type, input, scope, budget);
    if (uri == null) {
      throw new ExpressionException("expected a string as type of an error, found null");
    }
    return new WorkflowError(
        uri,
        status(status.evaluate(input, scope, budget).json()),
        text("title", title, input, scope, budget),
        text("detail", detail, input, scope, budget),
        text("instance", instance, input, scope, budget));
  }

  private static @Nullable String text(
      String part,
      @Nullable Expression<Payload> expression,
      Payload input,
      Scope scope,
      Budget budget) {
    if (expression == null) {
      return null;
    }
    JsonNode value = expression.evaluate(input, scope, budget).json();
    if (value.isNull()) {
      return null;
    }
    if (value.isTextual()) {
      return value.textValue();
    }
    throw new ExpressionException(
        "expected a string as " + part + " of an error, found " + Json.describe(value));
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
            Json.describe(value)));
  }
}
