/** Tests of {@code handlers.remote}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.remote;
