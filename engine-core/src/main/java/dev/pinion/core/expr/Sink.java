package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Takes the outputs of an expression one by one. */
@FunctionalInterface
interface Sink {
  /**
   * Takes an output.
   *
   * @param path its path, or null when no paths are requested
   * @return whether to continue
   */
  boolean emit(JsonNode value, @Nullable Path path);
}
