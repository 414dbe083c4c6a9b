/**
 * Chains of handlers around messages: on their way into a process and out of it, and around the
 * calls of services.
 *
 * <p>{@link dev.pinion.handlers.Chains} holds the chains of a server and is where the engine brings
 * messages. {@code api} is what handlers are written against, {@code config} reads documents of
 * chains, {@code plan} arranges handlers in stages, {@code run} runs them.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers;
