/**
 * Hosts filters of Jakarta Servlet ({@code jakarta.servlet.Filter}) as handlers. {@code
 * docs/handlers-builtin.md} lists the supported part of that interface; the rest is refused by
 * name.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.servlet;
