/** Handlers that log, audit, trace, count and notify. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin.observe;
