package dev.pinion.core.secret;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.model.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Secrets in environment variables: {@code PINION_SECRET_NAME}, with the name as it is, or in upper
 * case with underscores instead of hyphens and dots.
 */
public final class SecretVariables implements SecretSource {
  /** Prefix of the variables. */
  public static final String PREFIX = "PINION_SECRET_";

  private final Map<String, String> environment;
  private final int maxBytes;
  private final SecretText texts;

  /**
   * Secrets in an environment.
   *
   * @param maxBytes most bytes of one secret
   * @param codec codec of those that are JSON objects
   */
  public SecretVariables(Map<String, String> environment, int maxBytes, PayloadCodec codec) {
    this.environment = environment;
    this.maxBytes = maxBytes;
    this.texts = new SecretText(codec);
  }

  @Override
  public String description() {
    return PREFIX + "NAME";
  }

  @Override
  public @Nullable Payload read(String name) throws UnreadableSecretException {
    String value = environment.get(PREFIX + name);
    if (value == null) {
      value =
          environment.get(
              PREFIX + name.toUpperCase(Locale.ROOT).replace('-', '_').replace('.', '_'));
    }
    if (value == null) {
      return null;
    }
    if (value.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
      throw new UnreadableSecretException(
          "expected the secret \""
              + name
              + "\" to have at most "
              + maxBytes
              + " bytes (authentication.maxSecretBytes), found more");
    }
    return texts.value(value);
  }
}
