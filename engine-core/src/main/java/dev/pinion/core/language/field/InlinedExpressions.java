package dev.pinion.core.language.field;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.SourceNode;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Expressions of functions, extensions and documents, whose tasks are inlined at many places: each
 * is compiled once for places that are alike, or few bytes of a definition would make much of a
 * graph.
 */
final class InlinedExpressions {
  private final IdentityHashMap<SourceNode, Map<InlinedPlace, Expression<Payload>>> known =
      new IdentityHashMap<>();

  /**
   * All that an expression depends on, beside its text.
   *
   * @param pointer its JSON pointer in its document, which errors tell
   * @param variables what it sees
   * @param template whether it is a template
   * @param loose whether every text in it may be an expression
   * @param subject what {@code $task} means, or null for the task itself
   * @param compensating whether it stands in a compensation
   */
  record InlinedPlace(
      String pointer,
      Set<String> variables,
      boolean template,
      boolean loose,
      @Nullable TaskSubject subject,
      boolean compensating) {}

  /**
   * The expression of a value.
   *
   * @param compiler compiles it; reports its problems
   */
  Expression<Payload> get(
      DocumentValue value, InlinedPlace place, Supplier<Expression<Payload>> compiler) {
    if (!mayBeInlined(place.pointer())) {
      return compiler.get();
    }
    Map<InlinedPlace, Expression<Payload>> alike =
        known.computeIfAbsent(value.node(), _ -> new HashMap<>());
    Expression<Payload> before = alike.get(place);
    if (before != null) {
      return before;
    }
    Expression<Payload> compiled = compiler.get();
    alike.put(place, compiled);
    return compiled;
  }

  /** Whether a value is one of a reusable component, or of a document of its own. */
  private static boolean mayBeInlined(String pointer) {
    return pointer.startsWith("/use/") || pointer.indexOf('#') >= 0;
  }
}
