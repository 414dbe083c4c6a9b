package dev.pinion.handlers.plan;

import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import org.jspecify.annotations.Nullable;

/**
 * One use of a handler in a chain.
 *
 * @param name its name, unique in the chain
 * @param use the kind of handler
 * @param handler the handler
 * @param declaration declaration of this use: the handler's own, changed by the chain
 * @param partner name of the step that commits what this one prepares, or null
 */
public record Step(
    String name, String use, Handler handler, Declaration declaration, @Nullable String partner) {
  /** A step with the name of its kind and the handler's own declaration. */
  public static Step of(String name, Handler handler) {
    return new Step(name, name, handler, handler.declaration(), null);
  }

  /** This step, with another step that commits its effect. */
  public Step committedBy(String other) {
    return new Step(name, use, handler, declaration, other);
  }

  @Override
  public String toString() {
    return name;
  }
}
