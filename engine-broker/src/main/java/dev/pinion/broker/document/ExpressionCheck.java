package dev.pinion.broker.document;

import org.jspecify.annotations.Nullable;

/**
 * Checks whether a text is an expression of the engine's language, which the broker does not know.
 */
@FunctionalInterface
public interface ExpressionCheck {
  /** The problem of a text, or null when it is an expression. */
  @Nullable String problem(String source);
}
