package dev.pinion.core.template;

import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.ChildStart;

/**
 * Makes the start of a child from a {@code run: workflow} task. Each part of the name may be
 * constant or an expression that {@link #partOf} checks. Immutable.
 *
 * @param namespace yields the namespace of the definition
 * @param name yields the name of the definition
 * @param version yields the version, or {@value #LATEST}
 * @param input yields the input of the child
 */
public record ChildStartTemplate(
    Expression<Payload> namespace,
    Expression<Payload> name,
    Expression<Payload> version,
    Expression<Payload> input)
    implements Expression<ChildStart> {
  /** The word for the newest version at the time of the start. */
  public static final String LATEST = "latest";

  /**
   * A part of the name of a definition: a string; anything else is an error of type expression.
   *
   * @param part namespace, name or version
   */
  public static Expression<Payload> partOf(String part, Expression<Payload> expression) {
    return (input, scope, budget) -> {
      Payload value = expression.evaluate(input, scope, budget);
      if (!value.json().isTextual()) {
        throw new ExpressionException(
            "expected a string as "
                + part
                + " of a workflow, found "
                + JqValues.describe(value.json()));
      }
      return value;
    };
  }

  @Override
  public ChildStart evaluate(Payload given, Scope scope, Budget budget) {
    String wanted = version.evaluate(given, scope, budget).json().textValue();
    return new ChildStart(
        namespace.evaluate(given, scope, budget).json().textValue(),
        name.evaluate(given, scope, budget).json().textValue(),
        wanted.equals(LATEST) ? null : wanted,
        input.evaluate(given, scope, budget));
  }
}
