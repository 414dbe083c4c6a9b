package dev.pinion.core.template;

import static dev.pinion.core.jq.Expressions.budget;
import static dev.pinion.core.jq.Expressions.compile;
import static dev.pinion.core.jq.Expressions.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.HttpCall;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCallTemplateTest {
  private static List<NameValuePairs.Member> members(Map<String, Expression<Payload>> values) {
    return values.entrySet().stream()
        .map(each -> new NameValuePairs.Member(each.getKey(), each.getValue(), ""))
        .toList();
  }

  private static HttpCallTemplate to(
      String endpoint, NameValuePairs headers, NameValuePairs query) {
    return new HttpCallTemplate(
        "get",
        EndpointExpressions.callable(EndpointExpressions.of(compile(endpoint))),
        headers,
        query,
        null,
        HttpCall.Output.CONTENT,
        false);
  }

  private static HttpCall call(String endpoint, String input) {
    return to(endpoint, NameValuePairs.NONE, NameValuePairs.NONE)
        .evaluate(json(input), Scope.EMPTY, budget());
  }

  private static HttpCall withHeaders(String headers) {
    return to("\"http://x/\"", NameValuePairs.computed(compile("."), ""), NameValuePairs.NONE)
        .evaluate(json(headers), Scope.EMPTY, budget());
  }

  private static String withQuery(String uri, String query) {
    return to("\"" + uri + "\"", NameValuePairs.NONE, NameValuePairs.computed(compile("."), ""))
        .evaluate(json(query), Scope.EMPTY, budget())
        .uri();
  }

  @Test
  void shouldRenderACall() {
    Map<String, Expression<Payload>> headers = new LinkedHashMap<>();
    headers.put("X-Id", compile(".id"));
    headers.put("Accept", ConstantExpressions.of(Payload.of("application/json")));
    HttpCallTemplate template =
        new HttpCallTemplate(
            "post",
            java.util.Objects.requireNonNull(
                UriTemplate.compile("https://h:8443/pets/{id}", Set.of(), p -> {})),
            NameValuePairs.of(members(headers)),
            NameValuePairs.of(members(Map.of("q", compile(".tags")))),
            compile("{name: .name}"),
            HttpCall.Output.RESPONSE,
            true);

    HttpCall call =
        template.evaluate(
            json("{\"id\":7,\"name\":\"Rex\",\"tags\":[\"a&b\",null,2]}"), Scope.EMPTY, budget());

    assertEquals(
        new HttpCall(
            "POST",
            "https://h:8443/pets/7?q=a%26b&q=2",
            List.of(
                new HttpCall.HeaderField("X-Id", "7"),
                new HttpCall.HeaderField("Accept", "application/json")),
            json("{\"name\":\"Rex\"}"),
            HttpCall.Output.RESPONSE,
            true),
        call);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          http://x                ~ http://x
          HTTP://x/               ~ http://x/
          http://x:80/a b         ~ http://x:80/a%20b
          http://x/\u00e9?q=\u00e9#f ~ http://x/%C3%A9?q=%C3%A9
          http://[::1]:8080/      ~ http://[::1]:8080/
          svc://pricing/quote     ~ svc://pricing/quote
          http://x/%41%zz         ~ http://x/%41%25zz
          http://my_host?x        ~ http://my_host?x
          hTTps://x:65535         ~ https://x:65535
          """)
  void shouldNormaliseEndpoints(String endpoint, String uri) {
    assertEquals(uri, call(".", '"' + endpoint + '"').uri());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "/x",
        "//x",
        "ftp://x/",
        "file:///etc/passwd",
        "http:/x",
        "http://",
        "http:///a",
        "http://u:p@x/",
        "http://u@x/",
        "http://x:0/",
        "http://x:65536/",
        "http://x:/",
        "http://x:80:80/",
        "http://x:000080/",
        "http://x:+80/",
        "http://:80/",
        "http://[::1]x/",
        "http://[::1/",
        "http://[::1]:0/",
        "http://x y/",
        "http://x\\ny/",
        "http://[x]/",
        "http://[]/",
        "javascript:alert(1)",
        "http://\u00e9/",
        "gopher://x",
        " http://x/"
      })
  void shouldRefuseOtherEndpoints(String endpoint) {
    ExpressionException refused =
        assertThrows(ExpressionException.class, () -> call(".", '"' + endpoint + '"'));

    assertEquals(ErrorType.CONFIGURATION.uri(), refused.error().type());
  }

  @Test
  void shouldRefuseEndpointsThatAreNoStrings() {
    assertThrows(ExpressionException.class, () -> call(".", "1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          http://x        ~ {"a": 1, "b c": "d/e"}  ~ http://x?a=1&b%20c=d%2Fe
          http://x?z=1    ~ {"a": [1, 2]}           ~ http://x?z=1&a=1&a=2
          http://x?       ~ {"a": true}             ~ http://x?a=true
          http://x        ~ {"a": null, "b": []}    ~ http://x
          http://x        ~ null                    ~ http://x
          http://x        ~ {"a": ""}               ~ http://x?a=
          http://x        ~ {"a": "&b=1#"}          ~ http://x?a=%26b%3D1%23
          """)
  void shouldAppendTheQuery(String uri, String query, String expected) {
    assertEquals(expected, withQuery(uri, query));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[1]", "\"a\"", "{\"a\":{}}", "{\"a\":[[1]]}"})
  void shouldRefuseOtherQueries(String query) {
    assertThrows(ExpressionException.class, () -> withQuery("http://x", query));
  }

  @Test
  void shouldRepeatHeadersAndLeaveOutNull() {
    assertEquals(
        List.of(
            new HttpCall.HeaderField("A", "1"),
            new HttpCall.HeaderField("A", "x y"),
            new HttpCall.HeaderField("C", "true")),
        withHeaders("{\"A\":[1,\" x y\\t\"],\"B\":null,\"C\":true}").headers());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"A\":\"x\\r\\nB: 1\"}",
        "{\"A\":\"x\\ny\"}",
        "{\"A\":\"\\u0000\"}",
        "{\"A\":\"\u00e9\"}",
        "{\"A\\r\\nB\":\"1\"}",
        "{\"\":\"1\"}",
        "{\"A B\":\"1\"}",
        "{\"A:\":\"1\"}",
        "{\"Host\":\"y\"}",
        "{\"content-length\":1}",
        "{\"Transfer-Encoding\":\"chunked\"}",
        "{\"CONNECTION\":\"close\"}",
        "{\"Upgrade\":\"h2c\"}",
        "{\"TE\":\"x\"}",
        "{\"A\":{}}",
        "[]"
      })
  void shouldRefuseHeaders(String headers) {
    assertThrows(ExpressionException.class, () -> withHeaders(headers));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GE T", "CONNECT", "connect", "GET\n"})
  void shouldRefuseMethods(String method) {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new HttpCallTemplate(
                method,
                EndpointExpressions.of(compile(".")),
                NameValuePairs.NONE,
                NameValuePairs.NONE,
                null,
                HttpCall.Output.RAW,
                false));
  }

  @Test
  void shouldNameHeadersThatMayNotBeSet() {
    assertEquals(null, HttpCallTemplate.headerProblem("Accept"));
    assertTrue(String.valueOf(HttpCallTemplate.headerProblem("Host")).contains("Host"));
  }

  @Test
  void shouldPayForWhatItRenders() {
    String text = "x".repeat(10_000);
    HttpCallTemplate template =
        to("\"http://x/\"", NameValuePairs.NONE, NameValuePairs.computed(compile("."), ""));

    assertThrows(
        BudgetExceededException.class,
        () -> template.evaluate(json("{\"a\":\"" + text + "\"}"), Scope.EMPTY, new Budget(1_000)));
  }
}
