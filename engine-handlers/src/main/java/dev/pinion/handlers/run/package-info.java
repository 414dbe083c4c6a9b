/**
 * Runs chains: one message at a time in order, or the handlers of a stage in parallel, with the
 * same outcome. Its interface to the engine is {@link dev.pinion.handlers.run.MessageGateway}.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.run;
