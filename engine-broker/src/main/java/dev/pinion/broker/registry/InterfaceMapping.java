package dev.pinion.broker.registry;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Differences of the requests and answers of a concrete service from those of the abstract one.
 *
 * @param path template of its paths, or null for the same paths
 * @param headers values by name, sent with every request
 * @param request jq that makes its request body, or null for the same body
 * @param answer jq that makes the content that definitions expect, or null for the same content
 */
public record InterfaceMapping(
    @Nullable String path,
    Map<String, String> headers,
    @Nullable String request,
    @Nullable String answer) {
  /** No differences. */
  public static final InterfaceMapping NONE = new InterfaceMapping(null, Map.of(), null, null);

  /** The most header fields. */
  public static final int MAX_HEADERS = 32;

  /** The longest value of a header field, and the longest expression, in characters. */
  public static final int MAX_CHARS = 4_096;

  /** Copies the headers, in their order. */
  public InterfaceMapping {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }
}
