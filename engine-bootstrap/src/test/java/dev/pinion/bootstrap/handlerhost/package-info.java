/**
 * Handler hosts in the view of their users: real processes, real NATS servers, killed at random.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.handlerhost;
