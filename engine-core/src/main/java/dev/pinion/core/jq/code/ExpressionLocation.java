package dev.pinion.core.jq.code;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.WorkflowError;
import java.util.Map;

/** The place of an expression in a definition, for its errors. */
public final class ExpressionLocation {
  /** Most characters of an expression that an error repeats. */
  static final int MAX_SOURCE_CHARS = 200;

  /** Types of errors about values. */
  private static final Map<String, ErrorType> TYPES =
      Map.of(
          ErrorType.EXPRESSION.uri(), ErrorType.EXPRESSION,
          ErrorType.CONFIGURATION.uri(), ErrorType.CONFIGURATION);

  private ExpressionLocation() {}

  /**
   * The text that follows the sentence of an error.
   *
   * @param pointer JSON pointer (RFC 6901) of the value that holds the expression
   * @param source the expression without its <code>${ }</code>
   */
  public static String inExpression(String pointer, String source) {
    String shown =
        source.length() <= MAX_SOURCE_CHARS
            ? source
            : source.substring(0, MAX_SOURCE_CHARS) + "\u2026";
    return " (" + pointer + ": ${ " + shown.strip() + " })";
  }

  /**
   * The text that follows the sentence of an error about a value that is not an expression.
   *
   * @param pointer JSON pointer (RFC 6901) of the value
   */
  public static String atPointer(String pointer) {
    return " (" + pointer + ")";
  }

  /** An expression made from another one; errors about its value give the place, too. */
  public static <T> Expression<T> locate(String place, Expression<T> made) {
    return (input, scope, budget) -> {
      try {
        return made.evaluate(input, scope, budget);
      } catch (ExpressionException e) {
        throw located(e, place);
      }
    };
  }

  /** An error about a value, with the place added unless it has one already. */
  static ExpressionException located(ExpressionException failure, String place) {
    WorkflowError error = failure.error();
    String detail = error.detail();
    ErrorType type = TYPES.get(error.type());
    return type == null || detail == null || detail.endsWith(place)
        ? failure
        : new ExpressionException(WorkflowError.of(type, detail + place));
  }
}
