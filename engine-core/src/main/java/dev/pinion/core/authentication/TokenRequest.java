package dev.pinion.core.authentication;

import dev.pinion.core.authentication.TokenPolicy.SecurityToken;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The request for a token (RFC 6749, sections 4 and 6; RFC 8693). */
public final class TokenRequest {
  private static final String CLIENT_ID = "client_id";

  /** Answers are read here, not by the Invoker, which decompresses others. */
  private static final HttpCall.HeaderField PLAIN =
      new HttpCall.HeaderField("Accept-Encoding", "identity");

  private static final HttpCall.HeaderField JSON =
      new HttpCall.HeaderField("Accept", "application/json");

  private TokenRequest() {}

  /** The request for the document that describes a server. */
  public static HttpCall description(TokenPolicy policy) {
    return new HttpCall(
        "GET", policy.descriptionUri(), List.of(JSON, PLAIN), null, HttpCall.Output.CONTENT, false);
  }

  /** Whether the client needs an assertion. */
  public static boolean needsAssertion(TokenPolicy policy) {
    return switch (policy.client().method()) {
      case CLIENT_SECRET_JWT, PRIVATE_KEY_JWT -> true;
      case CLIENT_SECRET_BASIC, CLIENT_SECRET_POST, NONE -> false;
    };
  }

  /**
   * The request for a token.
   *
   * @param uri where tokens are issued
   * @param refresh token of an earlier response to use instead of the grant of the policy, or null
   * @param assertion assertion of the client, where it needs one
   */
  public static HttpCall token(
      TokenPolicy policy, String uri, @Nullable String refresh, @Nullable String assertion) {
    Map<String, Payload> parameters = new LinkedHashMap<>();
    grant(policy, refresh, parameters);
    list(parameters, "scope", policy.scopes());
    audiences(policy, parameters);
    List<HttpCall.HeaderField> fields = new ArrayList<>();
    fields.add(
        new HttpCall.HeaderField(
            "Content-Type",
            policy.isJson() ? "application/json" : "application/x-www-form-urlencoded"));
    fields.add(JSON);
    fields.add(PLAIN);
    client(policy.client(), assertion, parameters, fields);
    return new HttpCall(
        "POST", uri, fields, Payload.object(parameters), HttpCall.Output.CONTENT, false);
  }

  private static void grant(
      TokenPolicy policy, @Nullable String refresh, Map<String, Payload> parameters) {
    SecurityToken subject = policy.subject();
    boolean refreshes = policy.grant().equals(TokenPolicy.REFRESH_TOKEN);
    String earlier = refresh == null && refreshes && subject != null ? subject.token() : refresh;
    if (earlier != null) {
      put(parameters, "grant_type", TokenPolicy.REFRESH_TOKEN);
      put(parameters, "refresh_token", earlier);
      return;
    }
    put(parameters, "grant_type", policy.grant());
    UserPassword user = policy.user();
    if (user != null) {
      put(parameters, "username", user.username());
      put(parameters, "password", user.password());
    }
    if (policy.grant().equals(TokenPolicy.TOKEN_EXCHANGE)) {
      token(parameters, "subject", subject);
      token(parameters, "actor", policy.actor());
    }
  }

  private static void token(
      Map<String, Payload> parameters, String name, @Nullable SecurityToken token) {
    if (token != null) {
      put(parameters, name + "_token", token.token());
      put(parameters, name + "_token_type", token.type());
    }
  }

  /** Only token exchange repeats the parameter (RFC 8693, section 2.1). */
  private static void audiences(TokenPolicy policy, Map<String, Payload> parameters) {
    if (policy.grant().equals(TokenPolicy.TOKEN_EXCHANGE) && policy.audiences().size() > 1) {
      parameters.put(
          "audience", Payload.array(policy.audiences().stream().map(Payload::of).toList()));
    } else {
      list(parameters, "audience", policy.audiences());
    }
  }

  private static void client(
      OAuthClient client,
      @Nullable String assertion,
      Map<String, Payload> parameters,
      List<HttpCall.HeaderField> fields) {
    String id = client.id();
    switch (client.method()) {
      case CLIENT_SECRET_POST -> {
        put(parameters, CLIENT_ID, id);
        put(parameters, "client_secret", client.secret());
      }
      case CLIENT_SECRET_BASIC -> {
        UserPassword encoded =
            new UserPassword(form(String.valueOf(id)), form(String.valueOf(client.secret())));
        fields.add(
            new HttpCall.HeaderField(Authorization.FIELD, Authorization.basic(encoded).field()));
      }
      case CLIENT_SECRET_JWT, PRIVATE_KEY_JWT -> {
        put(parameters, CLIENT_ID, id);
        put(parameters, "client_assertion_type", ClientAssertion.TYPE);
        put(parameters, "client_assertion", assertion);
      }
      case NONE -> put(parameters, CLIENT_ID, id);
    }
  }

  /** RFC 6749, section 2.3.1: both are encoded like parts of a form. */
  private static String form(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static void list(Map<String, Payload> parameters, String name, List<String> values) {
    if (!values.isEmpty()) {
      put(parameters, name, String.join(" ", values));
    }
  }

  private static void put(Map<String, Payload> parameters, String name, @Nullable String value) {
    if (value != null) {
      parameters.put(name, Payload.of(value));
    }
  }
}
