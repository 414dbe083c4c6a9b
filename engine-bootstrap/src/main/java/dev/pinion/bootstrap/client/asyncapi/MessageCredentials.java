package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.model.call.HttpCall;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What a call authenticates itself with: a user and a password, or a token.
 *
 * @param user the user, or null for a token
 * @param secret the password or the token
 */
record MessageCredentials(@Nullable String user, String secret) {
  private static final String FIELD = "Authorization";
  private static final String BASIC = "Basic ";
  private static final String BEARER = "Bearer ";

  /** Those in the authorization of a request; null when it has none. */
  static @Nullable MessageCredentials of(HttpCall carrier) {
    String authorization = authorization(carrier);
    if (authorization == null) {
      return null;
    }
    if (authorization.startsWith(BASIC)) {
      byte[] decoded = Base64.getDecoder().decode(authorization.substring(BASIC.length()).strip());
      String both = new String(decoded, StandardCharsets.UTF_8);
      int colon = both.indexOf(':');
      return new MessageCredentials(
          both.substring(0, Math.max(colon, 0)), both.substring(colon + 1));
    }
    return authorization.startsWith(BEARER)
        ? new MessageCredentials(null, authorization.substring(BEARER.length()).strip())
        : null;
  }

  /** The authorization of a request, or null. */
  static @Nullable String authorization(HttpCall carrier) {
    for (HttpCall.HeaderField field : carrier.headers()) {
      if (isAuthorization(field)) {
        return field.value();
      }
    }
    return null;
  }

  /** Whether a header field is the authorization, and no header of a message. */
  static boolean isAuthorization(HttpCall.HeaderField field) {
    return field.name().equalsIgnoreCase(FIELD);
  }

  /** No value. */
  @Override
  public String toString() {
    return user == null ? "a token" : "a user and a password";
  }
}
