/**
 * Runs chains: one message at a time in order, or the handlers of a stage side by side, with the
 * same outcome. The engine meets it at {@link dev.pinion.handlers.run.Gateway}.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.run;
