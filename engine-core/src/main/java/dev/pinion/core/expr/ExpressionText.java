package dev.pinion.core.expr;

import org.jspecify.annotations.Nullable;

/**
 * A string of a definition that is wholly an expression, {@code ${ … }}.
 *
 * @param source what stands between the braces
 * @param offset where it starts in the string
 */
public record ExpressionText(String source, int offset) {
  /** The expression in a string, or null when the string is not wholly one. */
  public static @Nullable ExpressionText of(String text) {
    String stripped = text.strip();
    if (!stripped.startsWith("${") || !stripped.endsWith("}") || stripped.length() < 4) {
      return null;
    }
    int offset = text.indexOf("${") + 2;
    return new ExpressionText(stripped.substring(2, stripped.length() - 1), offset);
  }

  /** A problem of the expression, located in the whole string. */
  ExpressionProblem inText(ExpressionProblem problem) {
    return new ExpressionProblem(
        problem.offset() + offset, problem.message(), problem.suggestion());
  }
}
