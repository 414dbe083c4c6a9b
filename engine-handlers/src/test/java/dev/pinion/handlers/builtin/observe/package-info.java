/** Tests of {@code handlers.builtin.observe}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin.observe;
