package dev.pinion.core.frontend.swf;

import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HttpCall;
import java.util.List;
import java.util.Set;

final class HttpCalls {
  private static final List<String> KEYS =
      List.of("method", "endpoint", "headers", "query", "body", "output", "redirect");
  private final ExpressionFields expressions;
  private final Diagnostics diagnostics;

  HttpCalls(ExpressionFields expressions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  Expression<HttpCall> compile(Value arguments, Set<String> visible) {
    Fields fields = Fields.of(arguments, "the arguments of an HTTP call", KEYS, diagnostics);
    return expressions.call(fields, visible);
  }
}
