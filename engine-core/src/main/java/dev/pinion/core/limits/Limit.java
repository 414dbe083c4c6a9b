package dev.pinion.core.limits;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A bound: the one place from which its check, its default, {@code serve --help} and {@code
 * docs/limits.md} come.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Limit {
  /** The default. */
  int value();

  /** The least value allowed. */
  int min();

  /** The largest value allowed. */
  int max();

  /** What is bounded, and what happens beyond it. */
  String says();
}
