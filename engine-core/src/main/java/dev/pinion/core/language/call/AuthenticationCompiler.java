package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.call.DeferredParts.DeferredInput;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ReusableComponents;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.AuthenticationScheme;
import dev.pinion.core.template.AuthenticationTemplate;
import dev.pinion.core.template.UriTemplate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the authentication of an endpoint (DSL reference, "Authentication"): inline, by the name
 * of one under {@code use.authentications}, each with its parameters or the name of a secret that
 * holds them.
 */
public final class AuthenticationCompiler {
  /** Kinds of authentication that need no answer to a challenge, for messages. */
  static final String WITHOUT_DIGEST = "basic, bearer, oauth2 or oidc";

  private static final String USE = "use";
  private static final String AUTHORITY = "authority";
  private static final String ENDPOINTS = "endpoints";
  private static final String CERTIFICATE = "certificate";
  private static final List<String> SCHEMES =
      Arrays.stream(AuthenticationScheme.values()).map(AuthenticationScheme::label).toList();
  private static final List<String> POLICY_KEYS =
      Stream.concat(SCHEMES.stream(), Stream.of(CERTIFICATE)).sorted().toList();
  private static final List<String> REFERENCE_KEYS =
      Stream.concat(Stream.of(USE), POLICY_KEYS.stream()).toList();

  private final ReusableComponents reusable;
  private final ExpressionFieldCompiler expressions;
  private final AuthenticationFields fields;
  private final SecretReferences references;
  private final Diagnostics diagnostics;

  /** A compiler of the authentications in one document. */
  public AuthenticationCompiler(
      ReusableComponents reusable, ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.reusable = reusable;
    this.expressions = expressions;
    this.fields = new AuthenticationFields(diagnostics);
    this.references = new SecretReferences(reusable.secrets(), expressions, diagnostics);
    this.diagnostics = diagnostics;
  }

  /** What is known of the secrets of the definition. */
  SecretReferences references() {
    return references;
  }

  /**
   * Collects the parts of a call that the Invoker evaluates.
   *
   * @param pointer JSON pointer of the arguments of the call
   * @param input makes its input when that uses secrets, else null
   */
  DeferredParts parts(String pointer, VisibleVariables visible, @Nullable DeferredInput input) {
    return new DeferredParts(pointer, references, uses(visible), input);
  }

  /**
   * Collects the parts of a program's run that the Invoker makes.
   *
   * @param pointer JSON pointer of the program
   */
  DeferredProgramParts programParts(String pointer, VisibleVariables visible) {
    return new DeferredProgramParts(pointer, references, uses(visible));
  }

  private SecretUses uses(VisibleVariables visible) {
    return new SecretUses(visible, references, expressions.subject());
  }

  /** Compiles the authentication of an endpoint and adds it to the parts of the call. */
  void compile(DocumentValue authentication, VisibleVariables visible, DeferredParts parts) {
    if (!authentication.isObject()) {
      diagnostics.expected(
          authentication, "an object with \"use\" or a kind of authentication as its value");
      return;
    }
    FieldReader reference =
        FieldReader.of(authentication, "an authentication", REFERENCE_KEYS, diagnostics);
    if (!reference.has(USE)) {
      policy(reference, visible, parts);
      return;
    }
    DocumentValue name = reference.requiredText(USE);
    if (authentication.members().size() > 1) {
      diagnostics.key(authentication, "expected nothing beside \"use\", found more");
    }
    DocumentValue known = name == null ? null : reusable.authentications().resolve(name);
    if (known != null) {
      reusable(known, visible, parts);
    }
  }

  /** Whether the definition has a reusable authentication of a name. */
  boolean has(String name) {
    return reusable.authentications().has(name);
  }

  /** Adds a reusable authentication that the definition {@linkplain #has has} to a call. */
  void named(String name, VisibleVariables visible, DeferredParts parts) {
    DocumentValue known = reusable.authentications().find(name);
    if (known != null) {
      reusable(known, visible, parts);
    }
  }

  /** Checks the reusable authentications that no endpoint refers to. */
  public void checkUnused() {
    for (DocumentValue policy : reusable.authentications().unused()) {
      reusable(policy, VisibleVariables.NONE, parts(policy.pointer(), VisibleVariables.NONE, null));
    }
  }

  private void reusable(DocumentValue policy, VisibleVariables visible, DeferredParts parts) {
    policy(
        FieldReader.of(policy, "a reusable authentication", POLICY_KEYS, diagnostics),
        visible,
        parts);
  }

  private void policy(FieldReader policy, VisibleVariables visible, DeferredParts parts) {
    if (policy.has(CERTIFICATE)) {
      diagnostics.key(
          policy.getPresent(CERTIFICATE),
          "authentication by certificate is not supported: calls present no certificate of their"
              + " own, --trust only adds issuers of the services' certificates");
      return;
    }
    List<String> named = SCHEMES.stream().filter(policy::has).toList();
    if (named.size() != 1) {
      boolean told = named.isEmpty() && policy.has(USE); // as an unknown key
      if (policy.owner().isObject() && !told) {
        diagnostics.key(
            policy.owner(),
            "expected one of "
                + String.join(", ", SCHEMES)
                + " in an authentication, found "
                + (named.isEmpty() ? "none" : String.join(" and ", named)));
      }
      return;
    }
    DocumentValue configuration = policy.object(named.getFirst());
    if (configuration != null) {
      parts.authentication(template(scheme(named.getFirst()), configuration, visible, parts));
    }
  }

  private static AuthenticationScheme scheme(String label) {
    return Arrays.stream(AuthenticationScheme.values())
        .filter(each -> each.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  private AuthenticationTemplate template(
      AuthenticationScheme scheme,
      DocumentValue configuration,
      VisibleVariables visible,
      DeferredParts parts) {
    FieldReader reader = fields.check(scheme, configuration);
    DocumentValue secret = reader.text(USE);
    if (reader.has(USE)) {
      String name = secret == null ? "" : secret.text();
      if (secret != null) {
        references.check(secret, 0, name);
      }
      return new AuthenticationTemplate(scheme, name, null);
    }
    Expression<Payload> parameters =
        withUris(expressions.template(configuration, visible.ofAuthentication()), reader, visible);
    if (!parts.defers(configuration)) {
      return new AuthenticationTemplate(scheme, null, parameters);
    }
    parts.parameters(configuration, parameters);
    return new AuthenticationTemplate(scheme, null, null);
  }

  /** The authority and the endpoints may be URI templates. */
  private Expression<Payload> withUris(
      Expression<Payload> parameters, FieldReader reader, VisibleVariables visible) {
    DocumentValue authority = reader.get(AUTHORITY);
    DocumentValue endpoints = reader.get(ENDPOINTS);
    Expression<Payload> made =
        authority == null
            ? parameters
            : withUri(parameters, List.of(AUTHORITY), authority, visible);
    for (DocumentValue endpoint :
        endpoints == null ? List.<DocumentValue>of() : endpoints.members()) {
      made = withUri(made, List.of(ENDPOINTS, endpoint.name()), endpoint, visible);
    }
    return made;
  }

  private Expression<Payload> withUri(
      Expression<Payload> parameters,
      List<String> member,
      DocumentValue value,
      VisibleVariables visible) {
    if (value.text().indexOf('{') < 0 || ExpressionFieldCompiler.isEnclosed(value)) {
      return parameters;
    }
    UriTemplate uri =
        UriTemplate.compile(
            value.text(),
            visible.ofUri(),
            problem -> expressions.report(value, problem.offset(), problem));
    return uri == null
        ? Placeholders.expression()
        : AuthenticationTemplate.withUri(
            parameters, member, ExpressionFieldCompiler.located(value, uri));
  }
}
