/** Handler hosts as their users meet them: real processes, real NATS servers, killed at random. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.handlerhost;
