package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * How a call authenticates itself. Holds the name of a secret, never its value.
 *
 * @param scheme kind of authentication
 * @param secret name of the secret that holds the parameters, or null
 * @param parameters the parameters, such as {@code username}; null when a secret holds them or an
 *     expression with secrets makes them
 */
public record AuthenticationPolicy(
    AuthenticationScheme scheme, @Nullable String secret, @Nullable Payload parameters) {
  /** The scheme alone: parameters may be passwords. */
  @Override
  public String toString() {
    return scheme.label();
  }
}
