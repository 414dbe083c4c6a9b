package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.AuthenticationScheme;
import dev.pinion.core.model.call.DeferredExpressions;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.template.AuthenticationTemplate;
import dev.pinion.core.template.NameValuePairs;
import dev.pinion.core.template.SecretPartsTemplate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the parts of one call that the Invoker evaluates: those whose expressions use secrets or
 * the authorization, and all that have expressions where {@code input.from} uses secrets.
 */
final class DeferredParts {
  private final String pointer;
  private final SecretReferences references;
  private final SecretUses uses;
  private final @Nullable Expression<Payload> input;
  private final List<NameValuePairs.Member> headers = new ArrayList<>();
  private final List<NameValuePairs.Member> query = new ArrayList<>();
  private @Nullable NameValuePairs computedHeaders;
  private @Nullable NameValuePairs computedQuery;
  private @Nullable Expression<String> wholeQuery;
  private @Nullable Expression<String> endpoint;
  private @Nullable Expression<Payload> body;
  private @Nullable Expression<Payload> parameters;
  private @Nullable AuthenticationTemplate authentication;
  private boolean any;

  /**
   * Parts of a call.
   *
   * @param pointer JSON pointer of its arguments
   * @param uses collects what its parts use
   * @param input makes its input when that uses secrets, else null
   */
  DeferredParts(
      String pointer, SecretReferences references, SecretUses uses, @Nullable DeferredInput input) {
    this.pointer = pointer;
    this.references = references;
    this.uses = uses;
    this.input = input == null ? null : input.from();
    if (input != null) {
      uses.note(input.source(), true);
      any = true;
    }
  }

  /**
   * {@code input.from} that uses secrets.
   *
   * @param source its place
   */
  record DeferredInput(DocumentValue source, Expression<Payload> from) {}

  /** Whether the Invoker has to evaluate a part. */
  boolean defers(DocumentValue part) {
    return references.usesSecrets(part, false)
        || references.uses(part, "authorization", false)
        || (input != null && references.hasExpressions(part));
  }

  /** Whether the Invoker has to evaluate an endpoint, which may have variables in braces. */
  boolean defersUri(DocumentValue uri) {
    return defers(uri) || (input != null && uri.text().indexOf('{') >= 0);
  }

  void endpoint(DocumentValue uri, Expression<String> made) {
    defer(uri);
    endpoint = made;
  }

  boolean hasEndpoint() {
    return endpoint != null;
  }

  void header(DocumentValue source, NameValuePairs.Member member) {
    defer(source);
    headers.add(member);
  }

  void headers(DocumentValue source, NameValuePairs computed) {
    defer(source);
    computedHeaders = computed;
  }

  void parameter(DocumentValue source, NameValuePairs.Member member) {
    defer(source);
    query.add(member);
  }

  void query(DocumentValue source, NameValuePairs computed) {
    defer(source);
    computedQuery = computed;
  }

  /** Sets a query that is made as a whole, in the form in which it is sent. */
  void wholeQuery(DocumentValue source, Expression<String> made) {
    defer(source);
    wholeQuery = made;
  }

  void body(DocumentValue source, Expression<Payload> made) {
    defer(source);
    body = made;
  }

  /** Sets the authentication. */
  void authentication(AuthenticationTemplate made) {
    authentication = made;
  }

  boolean hasAuthentication() {
    return authentication != null;
  }

  /** Kind of the authentication, or null when there is none. */
  @Nullable AuthenticationScheme scheme() {
    return authentication == null ? null : authentication.scheme();
  }

  /** Sets the parameters of the authentication when they use secrets. */
  void parameters(DocumentValue source, Expression<Payload> made) {
    defer(source);
    parameters = made;
  }

  private void defer(DocumentValue source) {
    any = true;
    uses.note(source, false);
  }

  /** What the Invoker adds; null for nothing. */
  @Nullable SecretPartsTemplate template() {
    if (!any && authentication == null) {
      return null;
    }
    return new SecretPartsTemplate(
        authentication, any ? expressions() : DeferredExpressions.NONE, uses.captured());
  }

  private DeferredExpressions expressions() {
    NameValuePairs fields = pairs(computedHeaders, headers);
    NameValuePairs values = pairs(computedQuery, query);
    Expression<List<HttpCall.HeaderField>> madeFields =
        fields == null ? null : SecretPartsTemplate.headers(fields);
    return new DeferredExpressions(
        pointer,
        uses.secrets(),
        input,
        endpoint,
        madeFields,
        values == null ? wholeQuery : SecretPartsTemplate.query(values),
        body,
        parameters);
  }

  private static @Nullable NameValuePairs pairs(
      @Nullable NameValuePairs computed, List<NameValuePairs.Member> members) {
    return computed != null || members.isEmpty() ? computed : NameValuePairs.of(members);
  }
}
