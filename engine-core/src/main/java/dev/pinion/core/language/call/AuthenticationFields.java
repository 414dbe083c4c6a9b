package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.model.call.AuthenticationScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the members of an authentication's parameters, as far as they are not expressions. */
final class AuthenticationFields {
  private static final String USE = "use";
  private static final String AUTHORIZATION_CODE = "authorization_code";
  private static final String PASSWORD = "password";
  private static final String REFRESH_TOKEN = "refresh_token";
  private static final String TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
  private static final List<String> GRANTS =
      List.of(AUTHORIZATION_CODE, "client_credentials", PASSWORD, REFRESH_TOKEN, TOKEN_EXCHANGE);
  private static final String NONE = "none";
  private static final String PRIVATE_KEY = "private_key_jwt";
  private static final List<String> CLIENT_AUTHENTICATIONS =
      List.of("client_secret_post", "client_secret_basic", "client_secret_jwt", PRIVATE_KEY, NONE);
  private static final Pattern WEB = Pattern.compile("(?i)https?://[^/?#]");
  private static final List<String> ENCODINGS =
      List.of("application/x-www-form-urlencoded", "application/json");
  private static final List<String> OIDC_KEYS =
      List.of(
          "authority",
          "grant",
          "client",
          "request",
          "issuers",
          "scopes",
          "audiences",
          "username",
          PASSWORD,
          "subject",
          "actor");

  private final Diagnostics diagnostics;

  AuthenticationFields(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** Checks the parameters; returns a reader of them. */
  FieldReader check(AuthenticationScheme scheme, DocumentValue parameters) {
    FieldReader reader =
        FieldReader.of(
            parameters, "authentication of kind " + scheme.label(), keys(scheme), diagnostics);
    if (reader.has(USE)) {
      reader.text(USE);
      if (parameters.members().size() > 1) {
        diagnostics.key(
            parameters, "expected nothing beside \"use\", which names a secret, found more");
      }
      return reader;
    }
    switch (scheme) {
      case BASIC, DIGEST -> {
        requiredScalar(reader, "username");
        requiredScalar(reader, PASSWORD);
      }
      case BEARER -> requiredScalar(reader, "token");
      case OAUTH2, OIDC -> tokens(reader);
    }
    return reader;
  }

  private static List<String> keys(AuthenticationScheme scheme) {
    List<String> keys = new ArrayList<>();
    keys.add(USE);
    switch (scheme) {
      case BASIC, DIGEST -> keys.addAll(List.of("username", PASSWORD));
      case BEARER -> keys.add("token");
      case OAUTH2 -> {
        keys.addAll(OIDC_KEYS);
        keys.add("endpoints");
      }
      case OIDC -> keys.addAll(OIDC_KEYS);
    }
    return keys;
  }

  /** A mandatory string; examples of the specification write numbers, too. */
  private void requiredScalar(FieldReader reader, String name) {
    DocumentValue value = reader.required(name);
    if (value != null && !value.isText() && !value.json().isNumber()) {
      diagnostics.expected(value, "a string as \"" + name + "\"");
    }
  }

  private void tokens(FieldReader reader) {
    reader.requiredText("authority");
    String grant = choice(reader, reader.requiredText("grant"), GRANTS);
    if (AUTHORIZATION_CODE.equals(grant)) {
      diagnostics.value(
          reader.getPresent("grant"),
          "the grant authorization_code is not supported: it needs a person who logs in while the"
              + " call waits; use client_credentials, password, refresh_token or token exchange");
    }
    for (String name : List.of("issuers", "scopes", "audiences")) {
      texts(reader.get(name));
    }
    endpoints(group(reader, "endpoints", List.of("token", "revocation", "introspection")));
    FieldReader request = group(reader, "request", List.of("encoding"));
    if (request != null) {
      choice(request, request.text("encoding"), ENCODINGS);
    }
    client(reader);
    token(reader, "subject", TOKEN_EXCHANGE.equals(grant) || REFRESH_TOKEN.equals(grant));
    token(reader, "actor", false);
    if (PASSWORD.equals(grant)) {
      requiredScalar(reader, "username");
      requiredScalar(reader, PASSWORD);
    }
  }

  private void client(FieldReader reader) {
    FieldReader client =
        group(reader, "client", List.of("id", "secret", "assertion", "authentication"));
    if (client == null) {
      diagnostics.key(
          reader.owner(),
          "expected \"client\" with \"id\", or \"authentication: none\", found none");
      return;
    }
    DocumentValue method = client.text("authentication");
    String authentication =
        method == null
            ? CLIENT_AUTHENTICATIONS.getFirst()
            : choice(client, method, CLIENT_AUTHENTICATIONS);
    client.text("id");
    client.text("secret");
    client.text("assertion");
    if (authentication == null || authentication.equals(NONE)) {
      return;
    }
    client.required("id");
    String credential = authentication.equals(PRIVATE_KEY) ? "assertion" : "secret";
    boolean readyMade = authentication.equals("client_secret_jwt") && client.has("assertion");
    if (!readyMade) {
      client.required(credential);
    }
  }

  private void token(FieldReader reader, String name, boolean required) {
    FieldReader token = group(reader, name, List.of("token", "type"));
    if (token != null) {
      token.requiredText("token");
      token.requiredText("type");
    } else if (required && !reader.isMisspelt(name)) {
      reader.required(name);
    }
  }

  private @Nullable FieldReader group(FieldReader reader, String name, List<String> keys) {
    DocumentValue group = reader.object(name);
    return group == null ? null : FieldReader.of(group, "\"" + name + "\"", keys, diagnostics);
  }

  private void endpoints(@Nullable FieldReader group) {
    if (group == null) {
      return;
    }
    for (DocumentValue member : group.owner().members()) {
      DocumentValue endpoint = group.text(member.name());
      if (endpoint != null
          && !ExpressionFieldCompiler.isEnclosed(endpoint)
          && !isEndpoint(endpoint.text())) {
        diagnostics.value(
            endpoint,
            "expected a path such as /oauth2/token, or a URI of scheme http or https, as \""
                + endpoint.name()
                + "\", found "
                + ValueDescription.describe(endpoint.json()));
      }
    }
  }

  /** Whether a text is a path below the authority or a whole URI; it may have variables. */
  private static boolean isEndpoint(String text) {
    boolean plain = text.chars().noneMatch(c -> c <= ' ' || c == '#');
    boolean whole = text.contains("://");
    return !text.isEmpty() && plain && (!whole || WEB.matcher(text).lookingAt());
  }

  private void texts(@Nullable DocumentValue list) {
    if (list == null || ExpressionFieldCompiler.isEnclosed(list)) {
      return;
    }
    if (!list.isArray()) {
      diagnostics.expected(list, "an array of strings as \"" + list.name() + "\"");
    }
    for (DocumentValue item : list.items()) {
      if (!item.isText()) {
        diagnostics.expected(item, "a string");
      }
    }
  }

  /** One of some words; null for an expression, and for another value, which is reported. */
  private @Nullable String choice(
      FieldReader reader, @Nullable DocumentValue value, List<String> words) {
    if (value == null || ExpressionFieldCompiler.isEnclosed(value)) {
      return null;
    }
    if (words.contains(value.text())) {
      return value.text();
    }
    diagnostics.value(
        value,
        "expected "
            + String.join(", ", words.subList(0, words.size() - 1))
            + " or "
            + words.getLast()
            + " as \""
            + value.name()
            + "\" of "
            + reader.what()
            + ", found "
            + ValueDescription.describe(value.json()),
        () -> SpellingSuggestion.of(value.text(), words));
    return null;
  }
}
