/** Subscriptions to events of instances, and their delivery: CloudEventWriter over HTTP. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.publish;
