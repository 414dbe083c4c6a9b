package dev.pinion.core.template.parameter;

import static dev.pinion.core.jq.Expressions.budget;
import static dev.pinion.core.jq.Expressions.compile;
import static dev.pinion.core.jq.Expressions.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationUriTest {
  private static BoundParameter parameter(
      String name, String in, ParameterStyle style, boolean required, boolean reserved) {
    return new BoundParameter(
        new StyledParameter(name, style, style == ParameterStyle.FORM, reserved),
        in,
        required,
        compile("." + name),
        " (/with/" + name + ")");
  }

  private static String uri(String server, String path, List<BoundParameter> query, String input) {
    Map<String, BoundParameter> variables = new LinkedHashMap<>();
    for (String name : OperationUri.names(path)) {
      variables.put(name, parameter(name, "path", ParameterStyle.SIMPLE, true, false));
    }
    return OperationUri.of(server, path, variables, new StyledQuery(query))
        .evaluate(json(input), Scope.EMPTY, budget());
  }

  private static String uri(String server, String path, String input) {
    return uri(server, path, List.of(), input);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          http://h     ~ /            ~ {}                   ~ http://h/
          http://h/    ~ /a/          ~ {}                   ~ http://h/a/
          http://h/v1/ ~ /a/{id}      ~ {"id":"x y"}         ~ http://h/v1/a/x%20y
          http://h     ~ /{a}.{b}/c   ~ {"a":1,"b":"z"}      ~ http://h/1.z/c
          http://h     ~ /{id}/{id}   ~ {"id":[1,2]}         ~ http://h/1,2/1,2
          http://h     ~ /{id}        ~ {"id":"a/../b?c#d"}  ~ http://h/a%2F..%2Fb%3Fc%23d
          http://h     ~ /ä b/%20     ~ {}                   ~ http://h/%C3%A4%20b/%20
          http://h     ~ /a?x=1#y     ~ {}                   ~ http://h/a?x=1
          """)
  void shouldPutValuesIntoThePath(String server, String path, String input, String expected) {
    assertEquals(expected, uri(server, path, input));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          /a/{id}/b ~ {"id":""}  ~ expected a value of the parameter "id" (path) that makes a segment of the path, found "" (/with/id)
          /a/{id}   ~ {"id":".."} ~ expected a value of the parameter "id" (path) that makes a segment of the path, found ".." (/with/id)
          /a/.{id}  ~ {"id":"."} ~ expected a value of the parameter "id" (path) that makes a segment of the path, found ".." (/with/id)
          /a/{id}   ~ {}         ~ expected a value for the parameter "id" (path), found null (/with/id)
          /a/{id}   ~ {"id":[]}  ~ expected a value for the parameter "id" (path), found nothing in it (/with/id)
          """)
  void shouldRefuseValuesThatMakeAnotherCall(String path, String input, String expected) {
    ExpressionException refused =
        assertThrows(ExpressionException.class, () -> uri("http://h", path, input));

    assertEquals(expected, refused.getMessage());
  }

  @Test
  void shouldAppendTheQuery() {
    List<BoundParameter> query =
        List.of(
            parameter("q", "query", ParameterStyle.FORM, false, false),
            parameter("none", "query", ParameterStyle.FORM, false, false),
            parameter("to", "query", ParameterStyle.FORM, true, true));
    String input = "{\"q\":[\"a&b\",\"c\"],\"to\":\"http://x/?a=1&b#c+[d]\"}";

    assertEquals(
        "http://h/a?q=a%26b&q=c&to=http://x/?a=1%26b%23c%2B%5Bd%5D",
        uri("http://h", "/a", query, input));
    assertEquals("http://h/a?x=1&q=1&to=2", uri("http://h", "/a?x=1", query, "{\"q\":1,\"to\":2}"));
    assertEquals("http://h/a", uri("http://h", "/a", query.subList(0, 2), "{}"));
  }

  @Test
  void shouldKnowTheNamesInAPath() {
    assertEquals(Set.of("a", "b-c"), OperationUri.names("/x/{a}.{b-c}/{a}"));
    assertEquals(Set.of(), OperationUri.names("/x/{/a"));
    assertThrows(
        IllegalArgumentException.class,
        () -> OperationUri.of("http://h", "/{a}", Map.of(), new StyledQuery(List.of())));
  }

  @Test
  void shouldMakeHeaderFieldsAndCookies() {
    BoundParameter list = parameter("list", "header", ParameterStyle.SIMPLE, false, false);
    BoundParameter one = parameter("one", "cookie", ParameterStyle.FORM, false, false);
    BoundParameter two = parameter("two", "cookie", ParameterStyle.FORM, false, false);
    StyledHeader header = new StyledHeader(list);
    StyledCookies cookies = new StyledCookies(List.of(one, two));

    assertEquals(
        json("\"a b,c\""),
        header.evaluate(json("{\"list\":[\"a b\",\"c\"]}"), Scope.EMPTY, budget()));
    assertEquals(json("null"), header.evaluate(json("{}"), Scope.EMPTY, budget()));
    assertEquals(
        json("\"one=a%3B%20b; two=1; two=2\""),
        cookies.evaluate(json("{\"one\":\"a; b\",\"two\":[1,2]}"), Scope.EMPTY, budget()));
    assertEquals(json("null"), cookies.evaluate(json("{}"), Scope.EMPTY, budget()));
  }
}
