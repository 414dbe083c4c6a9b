package dev.pinion.core.jq;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.jq.syntax.ExpressionProblem;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Short forms for tests of expressions. */
public final class Expressions {
  public static final EngineLimits LIMITS = EngineLimits.defaults();
  private static final JsonMapper MAPPER = new JsonMapper();

  private Expressions() {}

  public static Payload json(String text) {
    try {
      return Payload.of(MAPPER.readTree(text));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static CompiledExpression compile(String source, String... variables) {
    return compile(LIMITS, source, variables);
  }

  public static CompiledExpression compile(
      EngineLimits limits, String source, String... variables) {
    List<ExpressionProblem> problems = new ArrayList<>();
    CompiledExpression expression =
        new ExpressionCompiler(limits).compileAll(source, Set.of(variables), problems::add);
    assertNotNull(expression, problems::toString);
    return expression;
  }

  public static Budget budget() {
    return new Budget(LIMITS.expression().maxSteps());
  }

  /** The value of an expression as JSON text. */
  public static String value(String source, String input) {
    return compile(source).evaluate(json(input), Scope.EMPTY, budget()).toString();
  }

  /** All outputs of an expression as JSON text, with blanks in between. */
  public static String all(String source, String input) {
    return String.join(
        " ",
        compile(source).all(json(input), Scope.EMPTY, budget()).stream()
            .map(Payload::toString)
            .toList());
  }

  static List<ExpressionProblem> problems(String source, String... variables) {
    List<ExpressionProblem> problems = new ArrayList<>();
    Expression<Payload> _ =
        new ExpressionCompiler(LIMITS).compile(source, Set.of(variables), problems::add);
    return problems;
  }
}
