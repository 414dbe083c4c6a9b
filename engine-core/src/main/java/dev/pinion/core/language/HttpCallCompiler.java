package dev.pinion.core.language;

import dev.pinion.core.binding.AbstractServiceUri;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.jq.code.ExpressionLocation;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.template.EndpointExpressions;
import dev.pinion.core.template.HttpCallTemplate;
import dev.pinion.core.template.NameValuePairs;
import dev.pinion.core.template.UriTemplate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compiles the arguments of {@code call: http} (DSL reference, "HTTP Call"). */
final class HttpCallCompiler {
  private static final List<String> KEYS =
      List.of("method", "endpoint", "headers", "query", "body", "output", "redirect");
  private static final List<String> ENDPOINT_KEYS = List.of("uri", "authentication");
  private static final List<String> OUTPUTS = List.of("content", "raw", "response");

  /** A URI that can be called, or a variable that may become one. */
  private static final Pattern CALLABLE =
      Pattern.compile("(?i)(?:https?|svc)://.*|\\{.*", Pattern.DOTALL);

  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  HttpCallCompiler(ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /**
   * The call that the arguments describe.
   *
   * @param parsesXml whether XML that it yields becomes its JSON form
   */
  Expression<HttpCall> compile(
      DocumentValue arguments, boolean parsesXml, VisibleVariables visibleVariables) {
    Set<String> visible = visibleVariables.ofTask();
    FieldReader fieldReader =
        FieldReader.of(arguments, "the arguments of an HTTP call", KEYS, diagnostics);
    String method = method(fieldReader.requiredText("method"));
    Expression<String> endpoint = endpoint(fieldReader.required("endpoint"), visibleVariables);
    NameValuePairs headers = headers(fieldReader.get("headers"), visible);
    NameValuePairs query = named(fieldReader.get("query"), visible);
    DocumentValue body = fieldReader.get("body");
    HttpCall.Output output =
        HttpCall.Output.valueOf(fieldReader.word("output", OUTPUTS).toUpperCase(Locale.ROOT));
    return new HttpCallTemplate(
        method,
        endpoint,
        headers,
        query,
        body == null ? null : expressions.template(body, visible),
        parsesXml ? output.withParsedXml() : output,
        fieldReader.flag("redirect"));
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
      @Nullable DocumentValue endpoint, VisibleVariables visibleVariables) {
    if (endpoint == null) {
      return Placeholders.expression();
    }
    if (endpoint.isText()) {
      return uri(endpoint, visibleVariables);
    }
    if (!endpoint.isObject()) {
      diagnostics.expected(endpoint, "a URI or an object as \"endpoint\"");
      return Placeholders.expression();
    }
    FieldReader fieldReader = FieldReader.of(endpoint, "an endpoint", ENDPOINT_KEYS, diagnostics);
    DocumentValue authentication = fieldReader.get("authentication");
    if (authentication != null) {
      diagnostics.notSupportedYet(authentication, "authentication");
    }
    DocumentValue uri = fieldReader.requiredText("uri");
    return uri == null ? Placeholders.expression() : uri(uri, visibleVariables);
  }

  private Expression<String> uri(DocumentValue uri, VisibleVariables visibleVariables) {
    boolean callable = CALLABLE.matcher(uri.text()).matches();
    if (ExpressionFieldCompiler.isEnclosed(uri) || (expressions.isLoose() && !callable)) {
      return ExpressionFieldCompiler.located(
          uri,
          EndpointExpressions.callable(
              EndpointExpressions.of(expressions.expression(uri, visibleVariables.ofTask()))));
    }
    String habit = HabitualTexts.problem(uri.text());
    if (habit != null) {
      diagnostics.value(uri, habit, () -> HabitualTexts.ofEndpoint(uri.text()));
      return Placeholders.expression();
    }
    if (!callable) {
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
            visibleVariables.named(),
            problem -> expressions.report(uri, problem.offset(), problem));
    if (template == null) {
      return Placeholders.expression();
    }
    warnOfUnfilled(uri, template, visibleVariables);
    String origin = service == null ? template.origin() : null;
    if (origin != null) {
      diagnostics.addOrigin(origin);
    }
    return ExpressionLocation.locate(
        ExpressionLocation.atPointer(uri.pointer()), EndpointExpressions.callable(template));
  }

  /** Warns of variables that the input cannot have, as far as is known. */
  private void warnOfUnfilled(
      DocumentValue uri, UriTemplate template, VisibleVariables visibleVariables) {
    KnownMembers input = visibleVariables.input();
    Set<String> known = new LinkedHashSet<>(visibleVariables.named());
    known.addAll(input.names() == null ? Set.of() : input.names());
    for (String name : template.names()) {
      if (!input.mayHave(name) && !known.contains(name)) {
        diagnostics.warn(
            expressions.offset(uri, uri.text().indexOf("{" + name + "}") + 1),
            uri.pointer(),
            "expected a variable that an input schema, an earlier task or a loop fills ("
                + KnownNames.listed(known)
                + "), found {"
                + name
                + "}",
            () -> SpellingSuggestion.of(name, known));
      }
    }
  }

  private NameValuePairs headers(@Nullable DocumentValue headers, Set<String> visible) {
    if (headers != null) {
      for (DocumentValue header : headers.members()) {
        String problem = HttpCallTemplate.headerProblem(header.name());
        if (problem != null) {
          diagnostics.key(header, problem);
        }
        if (!header.isText()) {
          diagnostics.expected(header, "a string as value of a header field");
        }
      }
    }
    return named(headers, visible);
  }

  private NameValuePairs named(@Nullable DocumentValue values, Set<String> visible) {
    if (values == null) {
      return NameValuePairs.NONE;
    }
    if (ExpressionFieldCompiler.isEnclosed(values)) {
      return NameValuePairs.computed(
          expressions.expression(values, visible), ExpressionFieldCompiler.location(values));
    }
    if (!values.isObject()) {
      diagnostics.expected(
          values, "an object or an expression within ${ } as \"" + values.name() + "\"");
      return NameValuePairs.NONE;
    }
    List<NameValuePairs.Member> named = new ArrayList<>();
    for (DocumentValue documentValue : values.members()) {
      named.add(
          new NameValuePairs.Member(
              documentValue.name(),
              expressions.template(documentValue, visible),
              ExpressionFieldCompiler.location(documentValue)));
    }
    return NameValuePairs.of(named);
  }
}
