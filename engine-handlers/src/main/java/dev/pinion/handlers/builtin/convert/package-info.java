/** Handlers that compress bodies and convert their formats. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin.convert;
