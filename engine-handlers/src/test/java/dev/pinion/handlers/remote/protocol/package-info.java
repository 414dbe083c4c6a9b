/** Tests of {@code handlers.remote.protocol}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.remote.protocol;
