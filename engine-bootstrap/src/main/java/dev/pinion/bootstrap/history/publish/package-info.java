/** Subscriptions, and delivery of CloudEvents to their sinks. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.history.publish;
