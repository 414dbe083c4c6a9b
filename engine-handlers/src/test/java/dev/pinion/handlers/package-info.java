/** Tests of {@code handlers}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers;
