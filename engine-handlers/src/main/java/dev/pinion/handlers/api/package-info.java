/**
 * The interface of handlers, against which third parties compile.
 *
 * <p>A {@link dev.pinion.handlers.api.Handler} is one step on the way of a message. It declares
 * what it reads and writes, sees only that, and returns changes instead of making them, so that
 * running it in parallel with others, after others or in another process gives the same message. A
 * {@link dev.pinion.handlers.api.HandlerFactory} in a jar is found by {@link
 * java.util.ServiceLoader}. Types here are built on the JDK and {@code dev.pinion.core.model} only.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.api;
