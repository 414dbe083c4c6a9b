package dev.pinion.core.openapi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A form in which an operation takes its body.
 *
 * @param type its media type, or a range of some
 * @param schema schema of the body, or null
 * @param encoding how its members are encoded (OpenAPI 3, "Encoding Object"), or null
 * @param fields the fields of a form of OpenAPI 2, by name
 * @param place where the document declares it
 */
public record ApiContent(
    MediaRange type,
    @Nullable ApiValue schema,
    @Nullable ApiValue encoding,
    Map<String, ApiField> fields,
    ApiValue place) {
  /** Copies the map, in its order. */
  public ApiContent {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** The same in one media type. */
  public ApiContent as(MediaRange other) {
    return new ApiContent(other, schema, encoding, fields, place);
  }
}
