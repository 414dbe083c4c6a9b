package dev.pinion.core.authentication;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.AuthenticationLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an authorization server answers. Messages name its endpoint and its code of an error,
 * but nothing else of the answer, which may repeat what was sent.
 */
public final class TokenResponse {
  private static final Pattern CODE = Pattern.compile("[a-z_]{1,40}");
  private static final int OK = 200;
  private static final int MULTIPLE_CHOICES = 300;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int JWT_PARTS = 3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final PayloadCodec codec;
  private final AuthenticationLimits limits;

  public TokenResponse(PayloadCodec codec, AuthenticationLimits limits) {
    this.codec = codec;
    this.limits = limits;
  }

  /**
   * What the document of a server says.
   *
   * @param tokenUri where tokens are issued
   * @param issuer name of the server, or null
   */
  public record ServerDescription(String tokenUri, @Nullable String issuer) {}

  /**
   * The description of a server.
   *
   * @param from its URI, for messages
   * @throws ExpressionException when the answer is none
   */
  public ServerDescription description(TokenPolicy policy, String from, int status, byte[] body) {
    Payload document = successful("the description of the server", from, status, body);
    String tokenUri = document.text("token_endpoint");
    String issuer = document.text("issuer");
    if (tokenUri == null) {
      throw failure("expected \"token_endpoint\" in the description " + from + ", found none");
    }
    if (issuer != null && !policy.issuers().isEmpty() && !isAccepted(policy, issuer)) {
      throw failure(
          "expected the description " + from + " of one of the \"issuers\", found another issuer");
    }
    return new ServerDescription(tokenUri, issuer);
  }

  /**
   * The token of a response.
   *
   * @param from where it was requested, for messages
   * @param issuer the issuer by the description of the server, or null
   * @param requestedNanos monotonic time of the request
   * @throws ExpressionException when there is none
   */
  public AccessToken token(
      TokenPolicy policy,
      String from,
      @Nullable String issuer,
      int status,
      byte[] body,
      long requestedNanos) {
    Payload response = successful("a token", from, status, body);
    String token = response.text("access_token");
    if (token == null || token.isEmpty() || !isSendable(token)) {
      throw failure("expected \"access_token\" from " + from + ", found none that can be sent");
    }
    String type = response.text("token_type");
    if (type != null && !type.equalsIgnoreCase("bearer")) {
      throw failure("expected a token of type Bearer from " + from + ", found another type");
    }
    checkIssuer(policy, from, issuer, response);
    long life = (long) (seconds(response) * NANOS_PER_SECOND);
    long ahead = Math.min(TimeUnit.SECONDS.toNanos(limits.renewAheadSeconds()), life / 2);
    return new AccessToken(token, response.text("refresh_token"), requestedNanos + life - ahead);
  }

  private Payload successful(String what, String from, int status, byte[] body) {
    Payload content = json(body);
    if (status < OK || status >= MULTIPLE_CHOICES) {
      boolean refused = status == BAD_REQUEST || status == UNAUTHORIZED || status == FORBIDDEN;
      String code = content == null ? null : content.text("error");
      String said = code != null && CODE.matcher(code).matches() ? " (" + code + ")" : "";
      String detail = "expected " + what + " from " + from + ", found status " + status + said;
      throw new ExpressionException(
          WorkflowError.of(refused ? ErrorType.AUTHENTICATION : ErrorType.COMMUNICATION, detail));
    }
    if (content == null || !content.isObject()) {
      throw new ExpressionException(
          WorkflowError.of(
              ErrorType.COMMUNICATION,
              "expected " + what + " as a JSON object from " + from + ", found something else"));
    }
    return content;
  }

  private @Nullable Payload json(byte[] body) {
    try {
      return codec.readBounded(body, 0, body.length);
    } catch (PayloadSyntaxException e) {
      return null;
    }
  }

  /** The life of a token; servers that say 0 or less do not limit it, or do not say. */
  private double seconds(Payload response) {
    Payload given = response.member("expires_in");
    String text = given == null ? null : given.scalar();
    try {
      double seconds = text == null ? 0 : Double.parseDouble(text);
      return seconds > 0 ? Math.min(seconds, Integer.MAX_VALUE) : limits.tokenSeconds();
    } catch (NumberFormatException e) {
      return limits.tokenSeconds();
    }
  }

  private static boolean isSendable(String token) {
    return token.chars().allMatch(c -> c > ' ' && c <= '~');
  }

  private void checkIssuer(
      TokenPolicy policy, String from, @Nullable String described, Payload response) {
    if (policy.issuers().isEmpty()) {
      return;
    }
    String issuer = issuer(response.text("id_token"));
    issuer = issuer == null ? issuer(response.text("access_token")) : issuer;
    issuer = issuer == null ? described : issuer;
    if (issuer == null || !isAccepted(policy, issuer)) {
      throw failure(
          "expected a token of one of the \"issuers\" from "
              + from
              + ", found "
              + (issuer == null ? "one that names no issuer" : "one of another issuer"));
    }
  }

  private static boolean isAccepted(TokenPolicy policy, String issuer) {
    return policy.issuers().contains(issuer);
  }

  /** The issuer that a token names, if it is a JWT. It comes from its issuer, so it is believed. */
  private @Nullable String issuer(@Nullable String token) {
    String[] parts = token == null ? new String[0] : token.split("\\.", -1);
    if (parts.length != JWT_PARTS) {
      return null;
    }
    try {
      Payload claims = json(Base64.getUrlDecoder().decode(parts[1]));
      return claims == null ? null : claims.text("iss");
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static ExpressionException failure(String detail) {
    return PolicyParameters.failure(detail);
  }
}
