package dev.pinion.core.secret;

import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Source of secrets: the port for files, variables and vaults. Safe for use by any thread; may wait
 * for I/O.
 */
public interface SecretSource {
  /** No secrets. */
  SecretSource NONE =
      new SecretSource() {
        @Override
        public @Nullable Payload read(String name) {
          return null;
        }

        @Override
        public String description() {
          return "no source of secrets";
        }
      };

  /**
   * Reads the present value of a secret.
   *
   * @param name a {@linkplain dev.pinion.core.model.call.SecretName#isValid valid} name
   * @return a text, or an object whose members are texts or what a JSON object holds; null when
   *     there is no such secret
   * @throws UnreadableSecretException when there is one that cannot be used
   */
  @Nullable Payload read(String name) throws UnreadableSecretException;

  /** Where it looks, for messages. */
  String description();
}
