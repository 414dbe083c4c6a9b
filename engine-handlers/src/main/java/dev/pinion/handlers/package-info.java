/**
 * Chains of handlers around messages: on their way into a process and out of it, and around the
 * calls of services.
 *
 * <p>{@link dev.pinion.handlers.ChainRegistry} holds the chains of a server and receives the
 * engine's messages. {@code api} is the interface of handlers, {@code config} reads documents of
 * chains, {@code plan} arranges handlers in stages, {@code run} runs them.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers;
