package dev.pinion.core.template;

import dev.pinion.core.jq.syntax.ExpressionProblem;
import org.jspecify.annotations.Nullable;

/**
 * A string of a definition that is wholly an expression, {@code ${ … }}.
 *
 * @param source the text between the braces
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

  /**
   * The problem of a string that begins like an expression but is not closed, or null for other
   * strings. Read as text it would be what nobody meant; such text is written as {@code ${ "…" }}.
   */
  static @Nullable ExpressionProblem unclosed(String text) {
    String stripped = text.strip();
    if (!stripped.startsWith("${") || of(text) != null) {
      return null;
    }
    int begin = text.indexOf("${");
    if (stripped.equals("${}")) {
      return new ExpressionProblem(
          begin, "expected an expression within ${ }, found nothing", null);
    }
    return new ExpressionProblem(
        begin,
        "expected } at the end of a string that begins with ${, found "
            + (stripped.length() == 2
                ? "nothing behind it"
                : "\"" + stripped.charAt(stripped.length() - 1) + "\""),
        null);
  }

  /** A problem of the expression, located in the whole string. */
  ExpressionProblem inText(ExpressionProblem problem) {
    return new ExpressionProblem(
        problem.offset() + offset, problem.message(), problem.suggestion());
  }
}
