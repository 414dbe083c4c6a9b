package dev.pinion.core.frontend.swf;

import dev.pinion.core.expr.Conditions;
import dev.pinion.core.expr.ExpressionCompiler;
import dev.pinion.core.expr.ExpressionPlace;
import dev.pinion.core.expr.ExpressionProblem;
import dev.pinion.core.expr.ExpressionText;
import dev.pinion.core.expr.Items;
import dev.pinion.core.expr.JsonTemplate;
import dev.pinion.core.frontend.swf.SourceNode.Scalar;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the fields of a definition that hold runtime expressions, and reports problems at the
 * character concerned.
 */
final class ExpressionFields {
  /** Arguments of the DSL for which this engine has no value. */
  private static final Set<String> NOT_YET = Set.of("secrets", "authorization");

  private final ExpressionCompiler compiler;
  private final JsonTemplate templates;
  private final Diagnostics diagnostics;

  ExpressionFields(EngineLimits limits, Diagnostics diagnostics) {
    this.compiler = new ExpressionCompiler(limits);
    this.templates = new JsonTemplate(limits);
    this.diagnostics = diagnostics;
  }

  /** Whether a value is a string that is wholly an expression, within <code>${ }</code>. */
  static boolean isEnclosed(Value value) {
    return ExpressionText.of(value.text()) != null;
  }

  /** A field that is an expression, with or without <code>${ }</code>. */
  Expression<Payload> expression(Value value, Set<String> variables) {
    if (!value.isText()) {
      diagnostics.expected(value, "an expression as \"" + value.name() + "\"");
      return Placeholders.expression();
    }
    ExpressionText enclosed = ExpressionText.of(value.text());
    String source = enclosed == null ? value.text() : enclosed.source();
    int start = enclosed == null ? 0 : enclosed.offset();
    Expression<Payload> compiled =
        compiler.compileAt(
            ExpressionPlace.told(value.pointer(), source),
            source,
            variables,
            problem -> report(value, start + problem.offset(), problem, variables));
    return compiled == null ? Placeholders.expression() : compiled;
  }

  /** A field that is a condition. */
  Expression<Boolean> condition(Value value, Set<String> variables) {
    return Conditions.of(expression(value, variables));
  }

  /** A field that is an expression, or an object with expressions in it. */
  Expression<Payload> transformation(Value value, Set<String> variables) {
    if (value.isObject()) {
      return template(value, variables);
    }
    if (!value.isText()) {
      diagnostics.expected(value, "an expression or an object as \"" + value.name() + "\"");
      return Placeholders.expression();
    }
    return expression(value, variables);
  }

  /** Any JSON; strings within <code>${ }</code> are expressions, everything else is constant. */
  Expression<Payload> template(Value value, Set<String> variables) {
    Expression<Payload> compiled =
        templates.compile(
            value.pointer(),
            value.payload(),
            variables,
            (pointer, problem) ->
                report(value.descendant(pointer), problem.offset(), problem, variables));
    return compiled == null ? Placeholders.expression() : compiled;
  }

  /** A field that is an expression or an array, and yields the items of a loop. */
  Expression<List<Payload>> items(Value value, Set<String> variables) {
    if (value.isArray()) {
      return Items.of(template(value, variables));
    }
    if (!value.isText()) {
      diagnostics.expected(value, "an expression or an array as \"" + value.name() + "\"");
      return Placeholders.expression();
    }
    return placed(value, Items.of(expression(value, variables)));
  }

  /** An expression made from that of a value; its errors give the value's place. */
  static <T> Expression<T> placed(Value value, Expression<T> made) {
    ExpressionText enclosed = ExpressionText.of(value.text());
    String source = enclosed == null ? value.text() : enclosed.source();
    return ExpressionPlace.of(ExpressionPlace.told(value.pointer(), source), made);
  }

  /** The place of a value for errors, with its expression when it is one. */
  static String place(Value value) {
    ExpressionText enclosed = ExpressionText.of(value.text());
    return enclosed == null
        ? ExpressionPlace.at(value.pointer())
        : ExpressionPlace.told(value.pointer(), enclosed.source());
  }

  /** Reports a problem of a string at one of its characters. */
  void report(Value value, int index, ExpressionProblem problem) {
    diagnostics.at(offset(value, index), value.pointer(), problem.message(), problem::suggestion);
  }

  private void report(Value value, int index, ExpressionProblem problem, Set<String> variables) {
    String argument = argumentAt(value.text(), index);
    if (argument == null || variables.contains(argument)) {
      report(value, index, problem);
    } else if (NOT_YET.contains(argument)) {
      diagnostics.at(
          offset(value, index), value.pointer(), "$" + argument + Diagnostics.NOT_SUPPORTED_YET);
    } else {
      diagnostics.at(
          offset(value, index),
          value.pointer(),
          "expected a variable that is available here ("
              + String.join(
                  ", ", new TreeSet<>(variables).stream().map(name -> "$" + name).toList())
              + "), found $"
              + argument);
    }
  }

  private int offset(Value value, int index) {
    return value.node() instanceof Scalar scalar
        ? ScalarText.offset(diagnostics.source().text(), scalar, index)
        : value.offset();
  }

  /** The argument of the DSL that begins at a position of a text, or null. */
  private static @Nullable String argumentAt(String text, int index) {
    if (index >= text.length() || text.charAt(index) != '$') {
      return null;
    }
    int end = index + 1;
    while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
      end++;
    }
    String name = text.substring(index + 1, end);
    return Variables.ARGUMENTS.contains(name) ? name : null;
  }
}
