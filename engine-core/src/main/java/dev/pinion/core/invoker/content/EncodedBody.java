package dev.pinion.core.invoker.content;

/**
 * A body in the form in which it is sent.
 *
 * @param contentType value of the field Content-Type
 * @param bytes the bytes; must not change
 */
public record EncodedBody(String contentType, byte[] bytes) {}
