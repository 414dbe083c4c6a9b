package dev.pinion.core.authentication;

import dev.pinion.core.model.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The value of a header field Authorization (RFC 9110, section 11.6.2).
 *
 * @param scheme such as {@code Bearer}
 * @param parameter what follows the scheme
 */
public record Authorization(String scheme, String parameter) {
  /** Its header field. */
  public static final String FIELD = "Authorization";

  /** A user and a password (RFC 7617), in UTF-8. */
  public static Authorization basic(UserPassword credentials) {
    String pair = credentials.username() + ":" + credentials.password();
    byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
    return new Authorization("Basic", Base64.getEncoder().encodeToString(bytes));
  }

  /** A token (RFC 6750). */
  public static Authorization bearer(String token) {
    return new Authorization("Bearer", token);
  }

  /** The value of the header field. */
  public String field() {
    return scheme + " " + parameter;
  }

  /** The value of {@code $authorization} (DSL, "Authorization Descriptor"). */
  public Payload descriptor() {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("scheme", Payload.of(scheme));
    members.put("parameter", Payload.of(parameter));
    return Payload.object(members);
  }

  /** The scheme alone. */
  @Override
  public String toString() {
    return scheme;
  }
}
