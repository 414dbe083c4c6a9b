/** Tests of {@code bootstrap.events}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.events;
