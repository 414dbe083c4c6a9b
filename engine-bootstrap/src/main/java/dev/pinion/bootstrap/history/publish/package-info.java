/**
 * Subscriptions, and delivery of CloudEvents to their sinks: {@code SubscriberDelivery} sends,
 * waits and tries again.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.history.publish;
