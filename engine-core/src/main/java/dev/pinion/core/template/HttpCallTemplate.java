package dev.pinion.core.template;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.HttpCall;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes HTTP calls from a {@code call: http} task. Immutable.
 *
 * <p>The values of the parts are checked, so that data cannot break out of their place: the URI is
 * percent-encoded, absolute and of a known scheme; header fields are free of line breaks and of
 * names that the engine sets itself.
 *
 * @param method request method, in upper case
 * @param endpoint the URI: a {@link UriTemplate}, or an expression wrapped by {@link
 *     EndpointExpressions}
 * @param headers header fields
 * @param query parameters to append to the URI; an array repeats its name, null leaves it out
 * @param body the body, or null for none
 * @param output source of the task's raw output
 * @param acceptRedirects whether the final status may be 300 to 399 without being an error
 * @param secretParts parts that the Invoker adds, or null for none
 */
public record HttpCallTemplate(
    String method,
    Expression<String> endpoint,
    NameValuePairs headers,
    NameValuePairs query,
    @Nullable Expression<Payload> body,
    HttpCall.Output output,
    boolean acceptRedirects,
    @Nullable SecretPartsTemplate secretParts)
    implements Expression<HttpCall> {
  /**
   * Checks the method and puts it into upper case.
   *
   * @throws IllegalArgumentException when {@link #methodProblem} finds one
   */
  public HttpCallTemplate {
    String problem = methodProblem(method);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    method = method.toUpperCase(Locale.ROOT);
  }

  /** A template of calls without secrets. */
  public HttpCallTemplate(
      String method,
      Expression<String> endpoint,
      NameValuePairs headers,
      NameValuePairs query,
      @Nullable Expression<Payload> body,
      HttpCall.Output output,
      boolean acceptRedirects) {
    this(method, endpoint, headers, query, body, output, acceptRedirects, null);
  }

  /** The problem of a word as the method of a call, or null when it is one. */
  public static @Nullable String methodProblem(String method) {
    if (!HttpFieldSyntax.isToken(method)) {
      return "expected a request method such as GET, found \"" + method + "\"";
    }
    return method.equalsIgnoreCase("CONNECT")
        ? "expected a request method other than CONNECT, which opens tunnels"
        : null;
  }

  /** The reason why a definition may not set a header field of a name, or null when it may. */
  public static @Nullable String headerProblem(String name) {
    return HttpFieldSyntax.nameProblem(name);
  }

  /**
   * Renders the call.
   *
   * @throws ExpressionException when a part is not of the expected form
   */
  @Override
  public HttpCall evaluate(Payload input, Scope scope, Budget budget) {
    String base = endpoint.evaluate(input, scope, budget);
    budget.charge(2 + base.length() / 8);
    String uri = HttpCall.withQuery(base, query(query.evaluate(input, scope, budget)));
    List<HttpCall.HeaderField> fields =
        HttpFieldSyntax.headers(headers.evaluate(input, scope, budget));
    Payload content = body == null ? null : body.evaluate(input, scope, budget);
    return new HttpCall(
        method,
        uri,
        fields,
        content,
        output,
        acceptRedirects,
        secretParts == null ? null : secretParts.evaluate(input, scope, budget));
  }

  /** Parameters in the form in which they are sent, joined by {@code &}. */
  static String query(List<NameValuePairs.Entry> parameters) {
    StringBuilder all = new StringBuilder();
    for (NameValuePairs.Entry parameter : parameters) {
      all.append(all.isEmpty() ? "" : "&").append(UriSyntax.encode(parameter.name()));
      all.append('=').append(UriSyntax.encode(parameter.value()));
    }
    return all.toString();
  }
}
