package dev.pinion.core.model;

import org.jspecify.annotations.Nullable;

/**
 * The variables an expression can see, such as {@code $context} or the item of a loop. Immutable
 * while it is in use.
 */
@FunctionalInterface
public interface Scope {
  /** A scope without variables. */
  Scope EMPTY = name -> null;

  /**
   * The value of a variable, or null when it has none here.
   *
   * @param name the variable's name without the dollar sign
   */
  @Nullable Payload variable(String name);
}
