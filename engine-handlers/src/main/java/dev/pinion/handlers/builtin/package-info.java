/**
 * The handlers that come with Pinion. Each kind is a {@link
 * dev.pinion.handlers.api.HandlerFactory}, named in {@code META-INF/services}; {@code
 * docs/handlers-builtin.md} says what each reads and writes and which settings it has.
 *
 * <p>They are written against {@code dev.pinion.handlers.api} only, as those of third parties are.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin;
