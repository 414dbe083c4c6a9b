/**
 * The handlers that come with Pinion. Each kind is a {@link
 * dev.pinion.handlers.api.HandlerFactory}, named in {@code META-INF/services}; {@code
 * docs/handlers-builtin.md} lists what each reads and writes and its settings.
 *
 * <p>They depend only on {@code dev.pinion.handlers.api}, like those of third parties.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin;
