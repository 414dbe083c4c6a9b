package dev.pinion.core.openapi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of requests of an operation.
 *
 * @param name its name, which only OpenAPI 2 gives; null for none
 * @param required whether every call must have one
 * @param contents the forms in which it is taken, at least one
 */
public record ApiBody(@Nullable String name, boolean required, List<ApiContent> contents) {
  /** Copies the list. */
  public ApiBody {
    contents = List.copyOf(contents);
  }
}
