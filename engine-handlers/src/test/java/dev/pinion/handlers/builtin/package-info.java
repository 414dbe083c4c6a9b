/** Tests of {@code handlers.builtin}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin;
