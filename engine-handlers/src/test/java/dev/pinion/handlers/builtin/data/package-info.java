/** Tests of {@code handlers.builtin.data}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin.data;
