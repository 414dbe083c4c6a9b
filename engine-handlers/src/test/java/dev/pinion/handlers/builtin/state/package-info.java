/** Tests of {@code handlers.builtin.state}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin.state;
