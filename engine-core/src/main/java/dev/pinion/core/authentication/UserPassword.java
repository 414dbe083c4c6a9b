package dev.pinion.core.authentication;

import dev.pinion.core.model.Payload;

/** A user and a password. */
public record UserPassword(String username, String password) {
  /**
   * The credentials for basic authentication.
   *
   * @throws dev.pinion.core.model.ExpressionException when a part is missing or cannot be sent
   */
  public static UserPassword forBasic(Payload parameters) {
    UserPassword credentials = of(parameters);
    if (credentials.username.indexOf(':') >= 0) {
      throw PolicyParameters.failure(
          "expected a user name without \":\", which basic authentication cannot send, found one");
    }
    PolicyParameters.requirePrintable("username", credentials.username);
    PolicyParameters.requirePrintable("password", credentials.password);
    return credentials;
  }

  /**
   * The credentials of a policy.
   *
   * @throws dev.pinion.core.model.ExpressionException when a part is missing
   */
  public static UserPassword of(Payload parameters) {
    return new UserPassword(
        PolicyParameters.text(parameters, "username"),
        PolicyParameters.text(parameters, "password"));
  }

  /** No value. */
  @Override
  public String toString() {
    return "a user and a password";
  }
}
