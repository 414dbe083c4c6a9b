package dev.pinion.core.invoker.authentication;

import dev.pinion.core.authentication.Authorization;
import dev.pinion.core.authentication.SensitiveParameters;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.AuthenticationPolicy;
import dev.pinion.core.model.call.DeferredExpressions;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.SecretParts;
import dev.pinion.core.model.call.SecretTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Adds to one call the parts that need secrets. */
final class CallCompletion {
  private final HttpCall call;
  private final SecretParts.Pending pending;
  private final DeferredExpressions deferred;
  private final Map<String, Payload> secrets;
  private final long maxSteps;

  /**
   * A completion.
   *
   * @param secrets values of the secrets that the call needs, by name
   * @param maxSteps most steps of all expressions
   */
  CallCompletion(
      HttpCall call, SecretParts.Pending pending, Map<String, Payload> secrets, long maxSteps) {
    this.call = call;
    this.pending = pending;
    this.deferred = pending.expressions();
    this.secrets = secrets;
    this.maxSteps = maxSteps;
  }

  /** Names of the secrets that a call needs. */
  static Set<String> names(SecretParts.Pending pending) {
    AuthenticationPolicy policy = pending.policy();
    String secret = policy == null ? null : policy.secret();
    if (secret == null) {
      return pending.expressions().secrets();
    }
    Set<String> names = new TreeSet<>(pending.expressions().secrets());
    names.add(secret);
    return names;
  }

  /**
   * The parameters of the authentication; null for a call without one.
   *
   * @throws ExpressionException when they cannot be made
   */
  @Nullable Payload parameters() {
    AuthenticationPolicy policy = pending.policy();
    if (policy == null) {
      return null;
    }
    String secret = policy.secret();
    if (secret != null) {
      return secrets.get(secret);
    }
    Expression<Payload> expression = deferred.authentication();
    return expression == null ? policy.parameters() : new Evaluation(null).of(expression);
  }

  /**
   * The whole call.
   *
   * @param authorization the authorization, or null for none
   * @param parameters parameters of the authentication, or null
   * @throws ExpressionException when a part cannot be made
   */
  HttpCall completed(@Nullable Authorization authorization, @Nullable Payload parameters) {
    Evaluation evaluation = new Evaluation(authorization);
    String uri = deferred.endpoint() == null ? call.uri() : evaluation.of(deferred.endpoint());
    if (deferred.query() != null) {
      uri = HttpCall.withQuery(uri, evaluation.of(deferred.query()));
    }
    List<HttpCall.HeaderField> added = new ArrayList<>();
    if (deferred.headers() != null) {
      added.addAll(evaluation.of(deferred.headers()));
    }
    if (authorization != null) { // no field of an expression replaces it
      added.removeIf(field -> field.name().equalsIgnoreCase(Authorization.FIELD));
      added.add(new HttpCall.HeaderField(Authorization.FIELD, authorization.field()));
    }
    Payload body = deferred.body() == null ? call.body() : evaluation.of(deferred.body());
    Set<String> hidden = new TreeSet<>();
    added.forEach(field -> hidden.add(lower(field)));
    hidden.add(Authorization.FIELD.toLowerCase(Locale.ROOT));
    List<HttpCall.HeaderField> fields = new ArrayList<>(call.headers());
    Set<String> replaced = added.stream().map(CallCompletion::lower).collect(Collectors.toSet());
    fields.removeIf(field -> replaced.contains(lower(field)));
    fields.addAll(added);
    return new HttpCall(
        call.method(),
        uri,
        fields,
        body,
        call.output(),
        call.acceptRedirects(),
        new SecretParts.Applied(call.shownUri(), hidden, texts(authorization, parameters)));
  }

  /** A whole call with the authorization that belongs to it. */
  HttpCall authorized(HttpCall whole, Authorization authorization) {
    List<HttpCall.HeaderField> fields = new ArrayList<>(whole.headers());
    fields.removeIf(field -> field.name().equalsIgnoreCase(Authorization.FIELD));
    fields.add(new HttpCall.HeaderField(Authorization.FIELD, authorization.field()));
    return whole.withHeaders(fields);
  }

  /** Whether the body is made here, so that nothing else may replace it. */
  boolean makesBody() {
    return deferred.body() != null;
  }

  /** Whether the address of the service comes from a secret. */
  boolean makesEndpoint() {
    return deferred.endpoint() != null;
  }

  private static String lower(HttpCall.HeaderField field) {
    return field.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The values of the secrets in the whole call.
   *
   * @param authorization the authorization, or null for none yet
   * @param parameters parameters of the authentication, or null
   */
  SecretTexts texts(@Nullable Authorization authorization, @Nullable Payload parameters) {
    List<String> texts = new ArrayList<>();
    deferred
        .secrets()
        .forEach(name -> texts.addAll(secrets.getOrDefault(name, Payload.NULL).texts()));
    if (parameters != null) {
      texts.addAll(SensitiveParameters.of(parameters));
    }
    if (authorization != null) {
      texts.add(authorization.parameter());
    }
    return SecretTexts.of(texts);
  }

  /** Evaluation of expressions with the secrets and one authorization, within one budget. */
  private final class Evaluation {
    private final SecretEvaluation secretEvaluation;
    private final Payload input;

    Evaluation(@Nullable Authorization authorization) {
      secretEvaluation =
          new SecretEvaluation(deferred.pointer(), pending.variables(), secrets, maxSteps);
      secretEvaluation.define(
          "authorization", authorization == null ? Payload.NULL : authorization.descriptor());
      if (deferred.input() == null) {
        input = pending.input();
      } else {
        input = secretEvaluation.of(deferred.input(), pending.input());
        secretEvaluation.define("input", input);
      }
    }

    <T> T of(Expression<T> expression) {
      return secretEvaluation.of(expression, input);
    }
  }
}
