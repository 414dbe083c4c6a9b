package dev.pinion.core.template;

import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/** Endpoints of calls. */
public final class EndpointExpressions {
  private EndpointExpressions() {}

  /** The string that an expression yields, as a URI; anything else is an expression error. */
  public static Expression<String> of(Expression<Payload> expression) {
    return (input, scope, budget) -> {
      Payload value = expression.evaluate(input, scope, budget);
      if (!value.json().isTextual()) {
        throw new ExpressionException(
            "expected a string as endpoint, found " + JqValues.describe(value.json()));
      }
      String text = value.json().textValue();
      budget.charge(1 + text.length() / 8);
      return UriSyntax.encodeIllegal(text);
    };
  }

  /**
   * A URI that can be called, without its fragment, which is never sent; anything else is an error
   * of type configuration.
   */
  public static Expression<String> callable(Expression<String> uri) {
    return (input, scope, budget) -> UriSyntax.callable(uri.evaluate(input, scope, budget));
  }

  /**
   * A fixed URI, percent-encoded where characters of it may not stand in one.
   *
   * @param text the URI as it is written
   */
  public static String encoded(String text) {
    return UriSyntax.encodeIllegal(text);
  }

  /** The problem of an encoded text as a URI that can be called, or null when it is one. */
  public static @Nullable String problem(String uri) {
    try {
      var _ = UriSyntax.callable(uri);
      return null;
    } catch (ExpressionException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
