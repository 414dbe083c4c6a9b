package dev.pinion.core.template;

import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;

/** Texts that a program gets: its code, arguments and environment. */
public final class ProgramText {
  private ProgramText() {}

  /**
   * A part of a program that is one text.
   *
   * @param part its name, for errors
   * @param place text that errors about it add, by {@link ExpressionLocation}
   */
  public static Expression<String> of(Expression<Payload> expression, String part, String place) {
    return (input, scope, budget) -> {
      Payload value = expression.evaluate(input, scope, budget);
      if (!value.json().isTextual()) {
        throw new ExpressionException(
            "expected a string as "
                + part
                + " of a program, found "
                + JqValues.describe(value.json())
                + place);
      }
      String text = value.json().textValue();
      budget.charge(2 + text.length() / 8);
      return check(text, part);
    };
  }

  /**
   * A text for a program.
   *
   * @throws ExpressionException when it has a NUL, where programs see its end
   */
  static String check(String text, String part) {
    if (text.indexOf('\0') >= 0) {
      throw new ExpressionException(
          "expected no NUL character in the " + part + " of a program, found one");
    }
    return text;
  }
}
