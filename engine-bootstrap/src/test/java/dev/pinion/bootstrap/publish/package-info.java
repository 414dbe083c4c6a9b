/** Subscriptions and their events. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.publish;
