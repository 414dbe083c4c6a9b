package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Start of a workflow by a task of another one. Made by the kernel itself; until the child is
 * recorded, its parent is charged for the input.
 *
 * @param namespace namespace of the definition
 * @param name name of the definition
 * @param version its version, or null for the latest at the time of the start
 * @param input raw input of the child
 */
public record ChildStart(String namespace, String name, @Nullable String version, Payload input)
    implements CallRequest {
  @Override
  public Payload body() {
    return input;
  }

  @Override
  public ChildStart withBody(Payload other) {
    return new ChildStart(namespace, name, version, other);
  }

  /** The same start: a child has an id of its own, by which its calls are named. */
  @Override
  public ChildStart withIdempotencyKey(String key, int attempt) {
    return this;
  }

  /** The definition as the task names it. */
  @Override
  public String description() {
    return namespace + "/" + name + ":" + (version == null ? "latest" : version);
  }
}
