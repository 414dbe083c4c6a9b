/** Subscriptions and what is sent for them. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.publish;
