package dev.pinion.core.authentication;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.AuthenticationScheme;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a token is requested (DSL reference, "OAUTH2 Authentication" and "OpenIdConnect
 * Authentication").
 *
 * @param authority URI of the server, or of the document that describes it
 * @param isDescribed whether a document of the server says where tokens are issued
 * @param tokenEndpoint path below the authority, or a whole URI
 * @param grant grant type
 * @param client the client
 * @param isJson whether the request is JSON instead of a form
 * @param issuers issuers of which tokens are accepted; empty for any
 * @param scopes scopes of the token
 * @param audiences audiences of the token
 * @param user the user of the password grant, or null
 * @param subject token of whom it is on behalf of, or null
 * @param actor token of who acts, or null
 */
public record TokenPolicy(
    String authority,
    boolean isDescribed,
    String tokenEndpoint,
    String grant,
    OAuthClient client,
    boolean isJson,
    List<String> issuers,
    List<String> scopes,
    List<String> audiences,
    @Nullable UserPassword user,
    @Nullable SecurityToken subject,
    @Nullable SecurityToken actor) {
  /** Grant of the client's own rights. */
  static final String CLIENT_CREDENTIALS = "client_credentials";

  /** Grant by a user and a password. */
  static final String PASSWORD = "password";

  /** Grant by an earlier token. */
  static final String REFRESH_TOKEN = "refresh_token";

  /** Grant of RFC 8693. */
  static final String TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

  private static final Set<String> GRANTS =
      Set.of(CLIENT_CREDENTIALS, PASSWORD, REFRESH_TOKEN, TOKEN_EXCHANGE);
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String JSON = "application/json";
  private static final String DISCOVERY = "/.well-known/openid-configuration";

  /**
   * A token for a token.
   *
   * @param token its value
   * @param type its type, such as {@code urn:ietf:params:oauth:token-type:access_token}
   */
  public record SecurityToken(String token, String type) {
    private static final String TYPE_PREFIX = "urn:ietf:params:oauth:token-type:";

    private static @Nullable SecurityToken of(Payload parameters, String name) {
      Payload member = parameters.member(name);
      if (member == null) {
        return null;
      }
      String type = PolicyParameters.text(member, "type");
      return new SecurityToken(
          PolicyParameters.text(member, "token"),
          type.indexOf(':') < 0 ? TYPE_PREFIX + type : type);
    }

    /** The type alone. */
    @Override
    public String toString() {
      return type;
    }
  }

  /**
   * The policy of some parameters.
   *
   * @throws dev.pinion.core.model.ExpressionException when they are not complete
   */
  public static TokenPolicy of(AuthenticationScheme scheme, Payload parameters) {
    String authority = withoutSlash(PolicyParameters.text(parameters, "authority"));
    String grant = PolicyParameters.text(parameters, "grant");
    if (!GRANTS.contains(grant)) {
      throw PolicyParameters.failure(
          "expected the grant client_credentials, password, refresh_token or token exchange"
              + " (authorization_code needs a person), found another one");
    }
    Payload endpoints = parameters.member("endpoints");
    String token = endpoints == null ? null : PolicyParameters.optionalText(endpoints, "token");
    TokenPolicy policy =
        new TokenPolicy(
            authority,
            scheme == AuthenticationScheme.OIDC || authority.contains("/.well-known/"),
            token == null ? "/oauth2/token" : token,
            grant,
            OAuthClient.of(parameters.member("client")),
            isJson(parameters),
            PolicyParameters.texts(parameters, "issuers"),
            PolicyParameters.texts(parameters, "scopes"),
            PolicyParameters.texts(parameters, "audiences"),
            grant.equals(PASSWORD) ? UserPassword.of(parameters) : null,
            SecurityToken.of(parameters, "subject"),
            SecurityToken.of(parameters, "actor"));
    boolean needsSubject = grant.equals(TOKEN_EXCHANGE) || grant.equals(REFRESH_TOKEN);
    if (needsSubject && policy.subject == null) {
      throw PolicyParameters.failure(
          "expected \"subject\" with the token of the grant " + grant + ", found none");
    }
    return policy;
  }

  private static boolean isJson(Payload parameters) {
    Payload request = parameters.member("request");
    String encoding = request == null ? null : PolicyParameters.optionalText(request, "encoding");
    if (encoding == null || encoding.equals(FORM)) {
      return false;
    }
    if (!encoding.equals(JSON)) {
      throw PolicyParameters.failure(
          "expected " + FORM + " or " + JSON + " as encoding of the token request, found another");
    }
    return true;
  }

  private static String withoutSlash(String uri) {
    return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
  }

  /** URI of the document that describes the server. */
  public String descriptionUri() {
    return authority.contains("/.well-known/") ? authority : authority + DISCOVERY;
  }

  /** URI at which tokens are issued, where no document says it. */
  public String tokenUri() {
    if (tokenEndpoint.contains("://")) {
      return tokenEndpoint;
    }
    return authority + (tokenEndpoint.startsWith("/") ? "" : "/") + tokenEndpoint;
  }

  /** The authority alone. */
  @Override
  public String toString() {
    return authority;
  }
}
