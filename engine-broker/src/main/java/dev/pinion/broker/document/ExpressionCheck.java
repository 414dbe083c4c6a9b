package dev.pinion.broker.document;

import org.jspecify.annotations.Nullable;

/** Tells whether a text is an expression of the engine's language; the broker does not know it. */
@FunctionalInterface
public interface ExpressionCheck {
  /** What is wrong with a text, or null when it is an expression. */
  @Nullable String problem(String source);
}
