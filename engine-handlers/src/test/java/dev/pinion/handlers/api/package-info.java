/** Tests of {@code handlers.api}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.api;
