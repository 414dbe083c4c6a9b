package dev.pinion.core.authentication;

import dev.pinion.core.model.Payload;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The client that requests tokens.
 *
 * @param id its id, or null
 * @param secret its secret, or null
 * @param assertion a signed assertion, or the private key that signs some; null for none
 * @param method how it authenticates itself
 */
public record OAuthClient(
    @Nullable String id,
    @Nullable String secret,
    @Nullable String assertion,
    ClientAuthentication method) {
  /** Ways in which a client authenticates itself (OpenID Connect Core, section 9). */
  public enum ClientAuthentication {
    /** Id and secret in the body; the default of the DSL. */
    CLIENT_SECRET_POST,
    /** Id and secret by basic authentication. */
    CLIENT_SECRET_BASIC,
    /** An assertion that the secret signs. */
    CLIENT_SECRET_JWT,
    /** An assertion that a private key signs. */
    PRIVATE_KEY_JWT,
    /** The id alone. */
    NONE;

    private static Optional<ClientAuthentication> of(String text) {
      return Arrays.stream(values())
          .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(text))
          .findFirst();
    }
  }

  /**
   * The client of some parameters.
   *
   * @throws dev.pinion.core.model.ExpressionException when they are not complete
   */
  static OAuthClient of(@Nullable Payload parameters) {
    Payload given = parameters == null ? Payload.EMPTY_OBJECT : parameters;
    String method = PolicyParameters.optionalText(given, "authentication");
    ClientAuthentication authentication =
        method == null
            ? ClientAuthentication.CLIENT_SECRET_POST
            : ClientAuthentication.of(method)
                .orElseThrow(
                    () ->
                        PolicyParameters.failure(
                            "expected client_secret_post, client_secret_basic, client_secret_jwt,"
                                + " private_key_jwt or none as authentication of the client, found"
                                + " another one"));
    OAuthClient client =
        new OAuthClient(
            PolicyParameters.optionalText(given, "id"),
            PolicyParameters.optionalText(given, "secret"),
            PolicyParameters.optionalText(given, "assertion"),
            authentication);
    client.check();
    return client;
  }

  private void check() {
    if (method == ClientAuthentication.NONE) {
      return;
    }
    boolean complete =
        id != null
            && switch (method) {
              case CLIENT_SECRET_POST, CLIENT_SECRET_BASIC -> secret != null;
              case CLIENT_SECRET_JWT -> secret != null || assertion != null;
              case PRIVATE_KEY_JWT -> assertion != null;
              case NONE -> true;
            };
    if (!complete) {
      throw PolicyParameters.failure(
          "expected \"client\" with what its authentication "
              + method.name().toLowerCase(Locale.ROOT)
              + " needs, found less");
    }
  }

  /** The id alone. */
  @Override
  public String toString() {
    return String.valueOf(id);
  }
}
