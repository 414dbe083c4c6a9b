/** Clients of message servers: sending, and subscriptions that acknowledge what is recorded. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.client.asyncapi;
