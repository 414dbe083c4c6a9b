/** Subscriptions to events of instances, and their delivery: CloudEvents over HTTP. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.publish;
