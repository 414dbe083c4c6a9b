package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.template.NameValuePairs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Compiles objects of names and values that calls send beside their arguments. */
final class NameValueCompiler {
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  NameValueCompiler(ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /**
   * Names and values.
   *
   * @param values an object, or an expression within <code>${ }</code> that yields one; null for
   *     none
   * @param visible names of the visible variables
   * @param problem the problem of a name, or null when it is one
   */
  NameValuePairs compile(
      @Nullable DocumentValue values,
      Set<String> visible,
      Function<String, @Nullable String> problem) {
    if (values == null) {
      return NameValuePairs.NONE;
    }
    if (ExpressionFieldCompiler.isEnclosed(values)) {
      return NameValuePairs.computed(
          expressions.expression(values, visible), ExpressionFieldCompiler.location(values));
    }
    if (!values.isObject()) {
      diagnostics.expected(
          values, "an object or an expression within ${ } as \"" + values.name() + "\"");
      return NameValuePairs.NONE;
    }
    List<NameValuePairs.Member> members = new ArrayList<>();
    for (DocumentValue value : values.members()) {
      members.add(member(value, visible, problem.apply(value.name())));
    }
    return NameValuePairs.of(members);
  }

  private NameValuePairs.Member member(
      DocumentValue value, Set<String> visible, @Nullable String problem) {
    if (problem != null) {
      diagnostics.key(value, problem);
    }
    if (value.isObject()) {
      diagnostics.expected(value, "a string as value of \"" + value.name() + "\"");
    }
    return new NameValuePairs.Member(
        value.name(),
        expressions.template(value, visible),
        ExpressionFieldCompiler.location(value));
  }
}
