package dev.pinion.core.frontend.swf;

import dev.pinion.core.expr.Endpoints;
import dev.pinion.core.expr.ExpressionPlace;
import dev.pinion.core.expr.HttpCallTemplate;
import dev.pinion.core.expr.NamedValues;
import dev.pinion.core.expr.UriTemplate;
import dev.pinion.core.model.AbstractCall;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HttpCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compiles the arguments of {@code call: http} (DSL reference, "HTTP Call"). */
final class HttpCalls {
  private static final List<String> KEYS =
      List.of("method", "endpoint", "headers", "query", "body", "output", "redirect");
  private static final List<String> ENDPOINT_KEYS = List.of("uri", "authentication");
  private static final List<String> OUTPUTS = List.of("content", "raw", "response");

  /** A URI that can be called, or a variable that may become one. */
  private static final Pattern CALLABLE =
      Pattern.compile("(?i)(?:https?|svc)://.*|\\{.*", Pattern.DOTALL);

  private final ExpressionFields expressions;
  private final Diagnostics diagnostics;

  HttpCalls(ExpressionFields expressions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /** The call that the arguments describe. */
  Expression<HttpCall> compile(Value arguments, Variables variables) {
    Set<String> visible = variables.ofTask();
    Fields fields = Fields.of(arguments, "the arguments of an HTTP call", KEYS, diagnostics);
    String method = method(fields.requiredText("method"));
    Expression<String> endpoint = endpoint(fields.required("endpoint"), variables);
    NamedValues headers = headers(fields.get("headers"), visible);
    NamedValues query = named(fields.get("query"), visible);
    Value body = fields.get("body");
    String output = fields.word("output", OUTPUTS);
    return new HttpCallTemplate(
        method,
        endpoint,
        headers,
        query,
        body == null ? null : expressions.template(body, visible),
        HttpCall.Output.valueOf(output.toUpperCase(Locale.ROOT)),
        fields.flag("redirect"));
  }

  /** The method; GET stands for one that was reported. */
  private String method(@Nullable Value method) {
    if (method == null) {
      return "GET";
    }
    String problem = HttpCallTemplate.methodProblem(method.text());
    if (problem != null) {
      diagnostics.value(method, problem);
      return "GET";
    }
    return method.text();
  }

  private Expression<String> endpoint(@Nullable Value endpoint, Variables variables) {
    if (endpoint == null) {
      return Placeholders.expression();
    }
    if (endpoint.isText()) {
      return uri(endpoint, variables);
    }
    if (!endpoint.isObject()) {
      diagnostics.expected(endpoint, "a URI or an object as \"endpoint\"");
      return Placeholders.expression();
    }
    Fields fields = Fields.of(endpoint, "an endpoint", ENDPOINT_KEYS, diagnostics);
    Value authentication = fields.get("authentication");
    if (authentication != null) {
      diagnostics.notSupportedYet(authentication, "authentication");
    }
    Value uri = fields.requiredText("uri");
    return uri == null ? Placeholders.expression() : uri(uri, variables);
  }

  private Expression<String> uri(Value uri, Variables variables) {
    if (ExpressionFields.isEnclosed(uri)) {
      return ExpressionFields.placed(
          uri, Endpoints.callable(Endpoints.of(expressions.expression(uri, variables.ofTask()))));
    }
    if (!CALLABLE.matcher(uri.text()).matches()) {
      diagnostics.value(
          uri,
          "expected a URI with scheme http, https or svc, found " + Found.describe(uri.json()));
      return Placeholders.expression();
    }
    String service = AbstractCall.service(uri.text());
    if (service != null) {
      diagnostics.names(uri, service);
    }
    UriTemplate template =
        UriTemplate.compile(
            uri.text(),
            variables.named(),
            problem -> expressions.report(uri, problem.offset(), problem));
    if (template == null) {
      return Placeholders.expression();
    }
    String origin = service == null ? template.origin() : null;
    if (origin != null) {
      diagnostics.reaches(origin);
    }
    return ExpressionPlace.of(ExpressionPlace.at(uri.pointer()), Endpoints.callable(template));
  }

  private NamedValues headers(@Nullable Value headers, Set<String> visible) {
    if (headers != null) {
      for (Value header : headers.members()) {
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

  private NamedValues named(@Nullable Value values, Set<String> visible) {
    if (values == null) {
      return NamedValues.NONE;
    }
    if (ExpressionFields.isEnclosed(values)) {
      return NamedValues.computed(
          expressions.expression(values, visible), ExpressionFields.place(values));
    }
    if (!values.isObject()) {
      diagnostics.expected(
          values, "an object or an expression within ${ } as \"" + values.name() + "\"");
      return NamedValues.NONE;
    }
    List<NamedValues.Member> named = new ArrayList<>();
    for (Value value : values.members()) {
      named.add(
          new NamedValues.Member(
              value.name(), expressions.template(value, visible), ExpressionFields.place(value)));
    }
    return NamedValues.of(named);
  }
}
