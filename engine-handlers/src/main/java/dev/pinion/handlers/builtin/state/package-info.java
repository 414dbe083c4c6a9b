/** Handlers with durable state: duplicate elimination, versioned resources. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin.state;
