package dev.pinion.core.jq;

import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.code.ExpressionLocation;
import dev.pinion.core.jq.code.LocatedCode;
import dev.pinion.core.jq.syntax.ExpressionProblem;
import dev.pinion.core.jq.syntax.ExpressionSyntaxException;
import dev.pinion.core.jq.syntax.Parser;
import dev.pinion.core.jq.value.EvaluationLimits;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compiles jq expressions. Immutable; safe for use by any thread.
 *
 * <p>The language is jq 1.7, with some additions of later versions (docs/language.md), without
 * access to anything but its input: no environment, no files, no further inputs, no modules, no
 * clock ({@code now} is the variable {@code now} of the scope). Integers are exact in 64 bits.
 * Regular expressions are RE2's: linear time, therefore without look-around and back references.
 *
 * <p>A compiled expression yields exactly one value: its first output, or null when it has none.
 */
public final class ExpressionCompiler {
  private final EngineLimits limits;
  private final EvaluationLimits evaluationLimits;

  /** A compiler of expressions whose evaluation keeps to some limits. */
  public ExpressionCompiler(EngineLimits limits) {
    this.limits = limits;
    this.evaluationLimits = new EvaluationLimits(limits);
  }

  /**
   * Compiles an expression.
   *
   * @param source jq, without the {@code ${ }} of the definition
   * @param variables names of the variables the surrounding scope provides, without dollar signs
   * @param problems receives all problems: the first syntax error, or all unknown names
   * @return null if and only if a problem was reported
   */
  public @Nullable Expression<Payload> compile(
      String source, Set<String> variables, Consumer<ExpressionProblem> problems) {
    return compileAll(source, variables, problems);
  }

  /**
   * Compiles an expression of a definition, whose errors give its place.
   *
   * @param place by {@link ExpressionLocation#inExpression}
   */
  public @Nullable Expression<Payload> compileAt(
      String place, String source, Set<String> variables, Consumer<ExpressionProblem> problems) {
    Code code = code(source, variables, problems);
    return code == null ? null : new CompiledExpression(located(code, place), evaluationLimits);
  }

  /** Code whose errors give its place; a constant has none. */
  public static Code located(Code code, String place) {
    return code instanceof ConstructionCode.Constant ? code : new LocatedCode(code, place);
  }

  /** Compiles to an expression that gives access to all outputs. */
  @Nullable CompiledExpression compileAll(
      String source, Set<String> variables, Consumer<ExpressionProblem> problems) {
    Code code = code(source, variables, problems);
    return code == null ? null : new CompiledExpression(code, evaluationLimits);
  }

  /** The code of an expression, or null when a problem was reported. */
  public @Nullable Code code(
      String source, Set<String> variables, Consumer<ExpressionProblem> problems) {
    int most = limits.definition().maxExpressionChars();
    if (source.length() > most) {
      String message =
          String.format(
              Locale.ROOT,
              "expected at most %d characters (definition.maxExpressionChars), found %d",
              most,
              source.length());
      problems.accept(new ExpressionProblem(most, message, null));
      return null;
    }
    try {
      CodeGenerator generator = new CodeGenerator(variables, evaluationLimits);
      Code code = generator.program(Parser.parse(source));
      checkHeight(code);
      generator.problems().forEach(problems);
      return generator.problems().isEmpty() ? code : null;
    } catch (ExpressionSyntaxException e) {
      problems.accept(new ExpressionProblem(e.offset(), e.text(), null));
      return null;
    }
  }

  public EvaluationLimits runLimits() {
    return evaluationLimits;
  }

  private void checkHeight(Code code) {
    if (code.height > evaluationLimits.maxFrames()) {
      throw new ExpressionSyntaxException(
          0, "expected an expression that nests less, found too many steps inside each other");
    }
  }
}
