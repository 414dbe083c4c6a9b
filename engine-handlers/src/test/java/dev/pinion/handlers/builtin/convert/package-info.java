/** Tests of {@code handlers.builtin.convert}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin.convert;
