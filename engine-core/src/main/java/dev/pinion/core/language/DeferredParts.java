package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.model.AuthenticationScheme;
import dev.pinion.core.model.DeferredExpressions;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import dev.pinion.core.template.AuthenticationTemplate;
import dev.pinion.core.template.NameValuePairs;
import dev.pinion.core.template.SecretPartsTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Collects the parts of one call that the Invoker evaluates: those whose expressions use secrets or
 * the authorization, and all that have expressions where {@code input.from} uses secrets.
 */
final class DeferredParts {
  private static final Pattern URI_VARIABLE = Pattern.compile("\\{([A-Za-z0-9_.-]+)}");

  /** The present time is a variable of the scope, which the function {@code now} reads. */
  private static final String NOW = "now";

  private static final String TASK = "task";

  private final String pointer;
  private final VisibleVariables visible;
  private final SecretReferences references;
  private final @Nullable TaskSubject subject;
  private final @Nullable Expression<Payload> input;
  private final Set<String> secrets = new TreeSet<>();
  private final Set<String> captured = new TreeSet<>();
  private final List<NameValuePairs.Member> headers = new ArrayList<>();
  private final List<NameValuePairs.Member> query = new ArrayList<>();
  private @Nullable NameValuePairs computedHeaders;
  private @Nullable NameValuePairs computedQuery;
  private @Nullable Expression<String> endpoint;
  private @Nullable Expression<Payload> body;
  private @Nullable Expression<Payload> parameters;
  private @Nullable AuthenticationTemplate authentication;
  private boolean any;

  /**
   * Parts of a call.
   *
   * @param pointer JSON pointer of its arguments
   * @param subject what {@code $task} means in its expressions, or null for the task itself
   * @param input makes its input when that uses secrets, else null
   */
  DeferredParts(
      String pointer,
      VisibleVariables visible,
      SecretReferences references,
      @Nullable TaskSubject subject,
      @Nullable DeferredInput input) {
    this.pointer = pointer;
    this.visible = visible;
    this.references = references;
    this.subject = subject;
    this.input = input == null ? null : input.from();
    if (input != null) {
      note(input.source(), true);
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
    note(source, false);
  }

  /** Notes the secrets and the variables that a part uses. */
  private void note(DocumentValue source, boolean plain) {
    secrets.addAll(references.of(source, plain));
    Set<String> known = visible.ofTask();
    SecretReferences.variables(source).stream().filter(known::contains).forEach(captured::add);
    if (subject != null && captured.contains(TASK)) {
      captured.addAll(subject.variables());
    }
    noteTexts(source);
  }

  private void noteTexts(DocumentValue source) {
    source.members().forEach(this::noteTexts);
    source.items().forEach(this::noteTexts);
    if (source.text().contains(NOW)) {
      captured.add(NOW);
    }
    Matcher variable = URI_VARIABLE.matcher(source.text());
    while (variable.find()) {
      if (visible.named().contains(variable.group(1))) {
        captured.add(variable.group(1));
      }
    }
  }

  /** What the Invoker adds; null for nothing. */
  @Nullable SecretPartsTemplate template() {
    if (!any && authentication == null) {
      return null;
    }
    return new SecretPartsTemplate(
        authentication, any ? expressions() : DeferredExpressions.NONE, captured);
  }

  private DeferredExpressions expressions() {
    NameValuePairs fields = pairs(computedHeaders, headers);
    NameValuePairs values = pairs(computedQuery, query);
    Expression<List<HttpCall.HeaderField>> madeFields =
        fields == null ? null : SecretPartsTemplate.headers(fields);
    return new DeferredExpressions(
        pointer,
        secrets,
        input,
        endpoint,
        madeFields,
        values == null ? null : SecretPartsTemplate.query(values),
        body,
        parameters);
  }

  private static @Nullable NameValuePairs pairs(
      @Nullable NameValuePairs computed, List<NameValuePairs.Member> members) {
    return computed != null || members.isEmpty() ? computed : NameValuePairs.of(members);
  }
}
