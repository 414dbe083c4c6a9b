package dev.pinion.core.model.call;

/** The kinds of authentication to services (DSL reference, "Authentication"). */
public enum AuthenticationScheme {
  /** A user and a password (RFC 7617). */
  BASIC("basic"),
  /** A token (RFC 6750). */
  BEARER("bearer"),
  /** A user and a password that is not sent (RFC 7616). */
  DIGEST("digest"),
  /** A token that an authorization server issues (RFC 6749). */
  OAUTH2("oauth2"),
  /** A token of a server that describes itself (OpenID Connect Discovery). */
  OIDC("oidc");

  private final String label;

  AuthenticationScheme(String label) {
    this.label = label;
  }

  /** Its key in definitions. */
  public String label() {
    return label;
  }
}
