package dev.pinion.core.graph;

import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * How data is transformed and checked on its way into a task, out of it, or into the context. Raw
 * input is checked before it is transformed, all other data afterwards.
 *
 * @param schema check of the data, or null; returns its input
 * @param transformation transformation of the data, or null
 */
public record DataTransform(
    @Nullable Expression<Payload> schema, @Nullable Expression<Payload> transformation) {
  /** Data stays as it is. */
  public static final DataTransform NONE = new DataTransform(null, null);
}
