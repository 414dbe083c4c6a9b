package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** Takes the outputs of an expression one by one. */
@FunctionalInterface
public interface OutputSink {
  /**
   * Takes an output.
   *
   * @param valuePath its path, or null when no paths are requested
   * @return whether to continue
   */
  boolean emit(JsonNode value, @Nullable ValuePath valuePath);
}
