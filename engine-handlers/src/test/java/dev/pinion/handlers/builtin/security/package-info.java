/** Tests of {@code handlers.builtin.security}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin.security;
