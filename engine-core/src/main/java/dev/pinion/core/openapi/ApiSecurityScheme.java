package dev.pinion.core.openapi;

import org.jspecify.annotations.Nullable;

/**
 * A way in which an operation wants its callers to authenticate themselves.
 *
 * @param name its name in the document
 * @param kind words for its kind, such as {@code oauth2}
 * @param key the parameter that carries an API key; null for other kinds
 */
public record ApiSecurityScheme(String name, String kind, @Nullable ApiParameter key) {}
