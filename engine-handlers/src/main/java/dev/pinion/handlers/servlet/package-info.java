/**
 * Hosts filters of Jakarta Servlet ({@code jakarta.servlet.Filter}) as handlers. {@code
 * docs/handlers-builtin.md} says what of that interface there is; the rest is refused by name.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.servlet;
