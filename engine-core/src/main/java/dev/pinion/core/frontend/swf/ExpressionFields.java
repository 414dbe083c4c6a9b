package dev.pinion.core.frontend.swf;

import dev.pinion.core.expr.Conditions;
import dev.pinion.core.expr.ExpressionCompiler;
import dev.pinion.core.expr.ExpressionProblem;
import dev.pinion.core.frontend.swf.SourceNode.Scalar;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the fields of a definition that hold runtime expressions, and reports what is wrong with
 * one at the character concerned.
 */
final class ExpressionFields {
  private static final Set<String> NOT_YET = Set.of("secrets", "authorization");

  private final ExpressionCompiler compiler;
  private final Diagnostics diagnostics;

  ExpressionFields(EngineLimits limits, Diagnostics diagnostics) {
    this.compiler = new ExpressionCompiler(limits);
    this.diagnostics = diagnostics;
  }

  /** Whether a text is an expression by itself: wholly within <code>${ }</code>. */
  static boolean isEnclosed(String text) {
    String stripped = text.strip();
    return stripped.startsWith("${") && stripped.endsWith("}");
  }

  /** A field that is an expression, with or without <code>${ }</code>. */
  Expression<Payload> expression(Value value, Set<String> variables) {
    if (!value.isText()) {
      diagnostics.expected(value, "an expression as \"" + value.name() + "\"");
      return Placeholders.expression();
    }
    String text = value.text();
    if (!isEnclosed(text)) {
      return compile(value, text, 0, variables);
    }
    int start = text.indexOf("${") + 2;
    return compile(value, text.substring(start, text.lastIndexOf('}')), start, variables);
  }

  /** A field that is a condition. */
  Expression<Boolean> condition(Value value, Set<String> variables) {
    return Conditions.of(expression(value, variables));
  }

  private Expression<Payload> compile(
      Value value, String source, int start, Set<String> variables) {
    Expression<Payload> compiled =
        compiler.compile(
            source, variables, problem -> report(value, source, start, problem, variables));
    return compiled == null ? Placeholders.expression() : compiled;
  }

  private void report(
      Value value, String source, int start, ExpressionProblem problem, Set<String> variables) {
    int offset = value.offset();
    if (value.node() instanceof Scalar scalar) {
      String text = diagnostics.source().text();
      offset = ScalarText.offset(text, scalar, start + problem.offset());
    }
    String argument = argumentAt(source, problem.offset());
    if (argument == null || variables.contains(argument)) {
      diagnostics.at(offset, value.pointer(), problem.message(), problem::suggestion);
    } else if (NOT_YET.contains(argument)) {
      diagnostics.at(offset, value.pointer(), "$" + argument + Diagnostics.NOT_SUPPORTED_YET);
    } else {
      diagnostics.at(
          offset,
          value.pointer(),
          "expected a variable that is available here ("
              + String.join(", ", new TreeSet<>(variables).stream().map(v -> "$" + v).toList())
              + "), found $"
              + argument);
    }
  }

  /** The argument of the DSL that a source names at an offset, or null. */
  private static @Nullable String argumentAt(String source, int offset) {
    int start = offset < source.length() && source.charAt(offset) == '$' ? offset + 1 : offset;
    int end = start;
    while (end < source.length() && Character.isJavaIdentifierPart(source.charAt(end))) {
      end++;
    }
    boolean variable = start > 0 && source.charAt(start - 1) == '$';
    String name = variable ? source.substring(start, end) : "";
    return Variables.ARGUMENTS.contains(name) ? name : null;
  }

  Expression<Payload> transformation(Value value, Set<String> variables) {
    return value.isText() ? expression(value, variables) : template(value, variables);
  }

  Expression<Payload> template(Value value, Set<String> variables) {
    return Placeholders.expression();
  }

  Expression<java.util.List<Payload>> items(Value value, Set<String> variables) {
    return Placeholders.expression();
  }

  Expression<Long> duration(Value value, Set<String> variables) {
    return Placeholders.expression();
  }

  Expression<dev.pinion.core.model.WorkflowError> error(Fields fields, Set<String> variables) {
    return Placeholders.expression();
  }

  Expression<dev.pinion.core.model.HttpCall> call(Fields fields, Set<String> variables) {
    return Placeholders.expression();
  }
}
