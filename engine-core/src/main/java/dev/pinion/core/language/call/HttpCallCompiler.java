package dev.pinion.core.language.call;

import dev.pinion.core.binding.AbstractServiceUri;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.jq.code.ExpressionLocation;
import dev.pinion.core.language.call.DeferredParts.DeferredInput;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.HabitualTexts;
import dev.pinion.core.language.field.KnownMembers;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.model.call.AuthenticationScheme;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.template.EndpointExpressions;
import dev.pinion.core.template.HttpCallTemplate;
import dev.pinion.core.template.NameValuePairs;
import dev.pinion.core.template.UriTemplate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compiles the arguments of {@code call: http} (DSL reference, "HTTP Call"). */
final class HttpCallCompiler {
  private static final List<String> KEYS =
      List.of("method", "endpoint", "headers", "query", "body", "output", "redirect");
  private static final List<String> ENDPOINT_KEYS = List.of("uri", "authentication");

  /** What of the answer can be the output; the first unless said. */
  static final List<String> OUTPUTS = List.of("content", "raw", "response");

  /** A URI that can be called, or a variable that may become one. */
  private static final Pattern CALLABLE =
      Pattern.compile("(?i)(?:https?|svc)://.*|\\{.*", Pattern.DOTALL);

  private final ExpressionFieldCompiler expressions;
  private final AuthenticationCompiler authentications;
  private final Diagnostics diagnostics;

  HttpCallCompiler(
      ExpressionFieldCompiler expressions,
      AuthenticationCompiler authentications,
      Diagnostics diagnostics) {
    this.expressions = expressions;
    this.authentications = authentications;
    this.diagnostics = diagnostics;
  }

  /**
   * The call that the arguments describe.
   *
   * @param parsesXml whether XML that it yields becomes its JSON form
   * @param input {@code input.from} when it uses secrets, else null
   */
  Expression<HttpCall> compile(
      DocumentValue arguments,
      boolean parsesXml,
      VisibleVariables visible,
      @Nullable DeferredInput input) {
    FieldReader fieldReader =
        FieldReader.of(arguments, "the arguments of an HTTP call", KEYS, diagnostics);
    DeferredParts parts = authentications.parts(arguments.pointer(), visible, input);
    String method = method(fieldReader.requiredText("method"));
    Expression<String> endpoint = endpoint(fieldReader.required("endpoint"), visible, parts);
    NameValuePairs headers = headers(fieldReader.get("headers"), visible, parts);
    NameValuePairs query = query(fieldReader.get("query"), visible, parts);
    Expression<Payload> body = body(fieldReader.get("body"), visible, parts);
    HttpCall.Output output =
        HttpCall.Output.valueOf(fieldReader.word("output", OUTPUTS).toUpperCase(Locale.ROOT));
    return new HttpCallTemplate(
        method,
        endpoint,
        headers,
        query,
        body,
        parsesXml ? output.withParsedXml() : output,
        fieldReader.flag("redirect"),
        parts.template());
  }

  /**
   * The request that carries a call over another protocol: a POST of its parts.
   *
   * @param pointer JSON pointer of the arguments of the call
   * @param input {@code input.from} when it uses secrets, else null
   */
  Expression<HttpCall> carrier(
      String pointer,
      CarrierParts carrier,
      VisibleVariables visible,
      @Nullable DeferredInput input) {
    DeferredParts parts = authentications.parts(pointer, visible, input);
    String fixed = carrier.uri();
    Expression<String> endpoint =
        fixed == null ? served(carrier.endpoint(), visible, parts) : constant(fixed);
    DocumentValue authentication = carrier.authentication();
    if (authentication != null) {
      authentications.compile(authentication, visible, parts);
    }
    refuseDigest(carrier, parts);
    return new HttpCallTemplate(
        "POST",
        endpoint,
        headers(carrier.headers(), visible, parts),
        NameValuePairs.NONE,
        body(carrier.body(), visible, parts),
        HttpCall.Output.CONTENT,
        false,
        parts.template());
  }

  /** Whether a value is an object, or wholly an expression, which may yield one. */
  boolean mayBeObject(DocumentValue value) {
    return value.isObject() || expressions.isWhole(value);
  }

  /** The answer to a challenge is made for one request, which is not the one that carries. */
  private void refuseDigest(CarrierParts carrier, DeferredParts parts) {
    DocumentValue endpoint = carrier.endpoint();
    DocumentValue place =
        endpoint == null ? carrier.authentication() : endpoint.descendant("/authentication");
    if (place != null && parts.scheme() == AuthenticationScheme.DIGEST) {
      diagnostics.value(
          place,
          "expected authentication by "
              + AuthenticationCompiler.WITHOUT_DIGEST
              + " over "
              + carrier.protocol()
              + ", found digest");
    }
  }

  private static Expression<String> constant(String text) {
    return (_, _, _) -> text;
  }

  /**
   * The parts of a request that carries a call over another protocol.
   *
   * @param protocol name of the protocol, for messages
   * @param uri its URI, or null when the definition has an endpoint
   * @param endpoint the endpoint, or null
   * @param authentication the authentication, or null for none or that of the endpoint
   * @param headers header fields, or null for none
   * @param body the body, or null for none
   */
  record CarrierParts(
      String protocol,
      @Nullable String uri,
      @Nullable DocumentValue endpoint,
      @Nullable DocumentValue authentication,
      @Nullable DocumentValue headers,
      @Nullable DocumentValue body) {}

  /** An endpoint that is no abstract service, since these speak plain HTTP. */
  private Expression<String> served(
      @Nullable DocumentValue endpoint, VisibleVariables visible, DeferredParts parts) {
    DocumentValue uri =
        endpoint == null || !endpoint.isObject() ? endpoint : endpoint.descendant("/uri");
    if (uri != null && AbstractServiceUri.service(uri.text()) != null) {
      diagnostics.value(
          uri,
          "expected a URI with scheme http or https, found "
              + ValueDescription.describe(uri.json()));
      return Placeholders.expression();
    }
    return endpoint(endpoint, visible, parts);
  }

  /** The method; GET stands for one that was reported. */
  private String method(@Nullable DocumentValue method) {
    if (method == null) {
      return "GET";
    }
    String problem = HttpCallTemplate.methodProblem(method.text());
    if (problem != null) {
      diagnostics.value(method, problem);
      return "GET";
    }
    if (!KnownMethods.has(method.text())) {
      diagnostics.warn(
          method,
          "expected a known request method, found " + ValueDescription.describe(method.json()),
          () -> KnownMethods.suggestion(method.text()));
    }
    return method.text();
  }

  private Expression<String> endpoint(
      @Nullable DocumentValue endpoint, VisibleVariables visible, DeferredParts parts) {
    if (endpoint == null) {
      return Placeholders.expression();
    }
    if (endpoint.isText()) {
      return uri(endpoint, visible, parts);
    }
    if (!endpoint.isObject()) {
      diagnostics.expected(endpoint, "a URI or an object as \"endpoint\"");
      return Placeholders.expression();
    }
    FieldReader fieldReader = FieldReader.of(endpoint, "an endpoint", ENDPOINT_KEYS, diagnostics);
    DocumentValue authentication = fieldReader.get("authentication");
    if (authentication != null) {
      authentications.compile(authentication, visible, parts);
    }
    DocumentValue uri = fieldReader.requiredText("uri");
    return uri == null ? Placeholders.expression() : uri(uri, visible, parts);
  }

  /** The URI; for one that uses secrets a text that stands for it in messages. */
  private Expression<String> uri(DocumentValue uri, VisibleVariables visible, DeferredParts parts) {
    Expression<String> made = madeUri(uri, visible);
    if (!parts.defersUri(uri)) {
      return made;
    }
    String service = AbstractServiceUri.service(uri.text());
    if (service != null) {
      diagnostics.value(
          uri,
          "expected a URI of scheme http or https where the endpoint needs secrets, found scheme"
              + " svc, whose service is chosen before");
    }
    parts.endpoint(uri, made);
    String shown = isExpression(uri) ? "{endpoint}" : uri.text();
    return (input, scope, budget) -> shown;
  }

  private boolean isExpression(DocumentValue uri) {
    return ExpressionFieldCompiler.isEnclosed(uri)
        || (expressions.isLoose() && !CALLABLE.matcher(uri.text()).matches());
  }

  private Expression<String> madeUri(DocumentValue uri, VisibleVariables visible) {
    if (isExpression(uri)) {
      return ExpressionFieldCompiler.located(
          uri,
          EndpointExpressions.callable(
              EndpointExpressions.of(expressions.expression(uri, visible.ofCall()))));
    }
    String habit = HabitualTexts.problem(uri.text());
    if (habit != null) {
      diagnostics.value(uri, habit, () -> HabitualTexts.ofEndpoint(uri.text()));
      return Placeholders.expression();
    }
    if (!CALLABLE.matcher(uri.text()).matches()) {
      diagnostics.value(
          uri,
          "expected a URI with scheme http, https or svc, found "
              + ValueDescription.describe(uri.json()));
      return Placeholders.expression();
    }
    String service = AbstractServiceUri.service(uri.text());
    if (service != null) {
      diagnostics.addService(uri, service);
    }
    UriTemplate template =
        UriTemplate.compile(
            uri.text(),
            visible.ofUri(),
            problem -> expressions.report(uri, problem.offset(), problem));
    if (template == null) {
      return Placeholders.expression();
    }
    warnOfUnfilled(uri, template, visible);
    String origin = service == null ? template.origin() : null;
    if (origin != null) {
      diagnostics.addOrigin(origin);
    }
    return ExpressionLocation.locate(
        ExpressionLocation.atPointer(uri.pointer()), EndpointExpressions.callable(template));
  }

  /** Warns of variables that the input cannot have, as far as is known. */
  private void warnOfUnfilled(DocumentValue uri, UriTemplate template, VisibleVariables visible) {
    KnownMembers input = visible.input();
    Set<String> known = new LinkedHashSet<>(visible.ofUri());
    known.addAll(input.names() == null ? Set.of() : input.names());
    template.names().stream()
        .distinct()
        .filter(name -> !input.mayHave(name) && !known.contains(name))
        .limit(KnownNames.MAX_LISTED)
        .forEach(name -> warnOfUnfilled(uri, name, known));
  }

  private void warnOfUnfilled(DocumentValue uri, String name, Set<String> known) {
    diagnostics.warn(
        diagnostics.offset(uri, uri.text().indexOf("{" + name + "}") + 1),
        uri.pointer(),
        "expected a variable that an input schema, an earlier task or a loop fills ("
            + KnownNames.listed(known)
            + "), found {"
            + name
            + "}",
        () -> SpellingSuggestion.of(name, known));
  }

  private NameValuePairs headers(
      @Nullable DocumentValue headers, VisibleVariables visible, DeferredParts parts) {
    if (headers == null) {
      return NameValuePairs.NONE;
    }
    for (DocumentValue header : headers.members()) {
      String problem = HttpCallTemplate.headerProblem(header.name());
      if (problem != null) {
        diagnostics.key(header, problem);
      } else if (header.name().equalsIgnoreCase("Authorization") && parts.hasAuthentication()) {
        diagnostics.key(
            header,
            "expected no header field Authorization beside the authentication of the endpoint,"
                + " which sets it");
      }
      if (!header.isText()) {
        diagnostics.expected(header, "a string as value of a header field");
      }
    }
    if (expressions.isWhole(headers) && parts.defers(headers)) {
      parts.headers(headers, computed(headers, visible));
      return NameValuePairs.NONE;
    }
    return named(headers, visible, parts::defers, parts::header);
  }

  private NameValuePairs query(
      @Nullable DocumentValue query, VisibleVariables visible, DeferredParts parts) {
    if (query == null) {
      return NameValuePairs.NONE;
    }
    boolean whole = parts.hasEndpoint();
    if (expressions.isWhole(query) && (whole || parts.defers(query))) {
      parts.query(query, computed(query, visible));
      return NameValuePairs.NONE;
    }
    return named(query, visible, each -> whole || parts.defers(each), parts::parameter);
  }

  private @Nullable Expression<Payload> body(
      @Nullable DocumentValue body, VisibleVariables visible, DeferredParts parts) {
    if (body == null) {
      return null;
    }
    Expression<Payload> made = expressions.template(body, visible.ofCall());
    if (!parts.defers(body)) {
      return made;
    }
    parts.body(body, made);
    return null;
  }

  private NameValuePairs computed(DocumentValue values, VisibleVariables visible) {
    return NameValuePairs.computed(
        expressions.expression(values, visible.ofCall()), ExpressionFieldCompiler.location(values));
  }

  /**
   * Names with values.
   *
   * @param deferred whether the Invoker has to evaluate a value
   * @param later takes those values
   */
  private NameValuePairs named(
      DocumentValue values,
      VisibleVariables visible,
      Predicate<DocumentValue> deferred,
      BiConsumer<DocumentValue, NameValuePairs.Member> later) {
    if (expressions.isWhole(values)) {
      return computed(values, visible);
    }
    if (!values.isObject()) {
      diagnostics.expected(
          values, "an object or an expression within ${ } as \"" + values.name() + "\"");
      return NameValuePairs.NONE;
    }
    List<NameValuePairs.Member> named = new ArrayList<>();
    for (DocumentValue value : values.members()) {
      NameValuePairs.Member member =
          new NameValuePairs.Member(
              value.name(),
              expressions.template(value, visible.ofCall()),
              ExpressionFieldCompiler.location(value));
      if (deferred.test(value)) {
        later.accept(value, member);
      } else {
        named.add(member);
      }
    }
    return NameValuePairs.of(named);
  }
}
