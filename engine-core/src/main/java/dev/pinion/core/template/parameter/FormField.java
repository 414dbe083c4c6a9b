package dev.pinion.core.template.parameter;

import org.jspecify.annotations.Nullable;

/**
 * A field of a form that a body becomes.
 *
 * @param isFile whether its value is the content of a file
 * @param contentType media type of its value, or null for the usual one
 * @param style how its value becomes text, or null where that follows from the value
 */
public record FormField(
    boolean isFile, @Nullable String contentType, @Nullable StyledParameter style) {
  /** A field of which nothing is known. */
  public static final FormField PLAIN = new FormField(false, null, null);
}
