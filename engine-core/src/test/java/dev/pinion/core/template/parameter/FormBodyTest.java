package dev.pinion.core.template.parameter;

import static dev.pinion.core.jq.Expressions.budget;
import static dev.pinion.core.jq.Expressions.compile;
import static dev.pinion.core.jq.Expressions.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Scope;
import dev.pinion.core.template.MemberBody;
import dev.pinion.core.template.NameValuePairs;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies that become forms, URL-encoded and in parts. */
class FormBodyTest {
  private static final Map<String, FormField> FORM =
      Map.of(
          "csv", styled("csv", ParameterStyle.FORM, false),
          "deep", styled("deep", ParameterStyle.DEEP_OBJECT, true),
          "spread", styled("spread", ParameterStyle.FORM, true));
  private static final Map<String, FormField> PARTS =
      Map.of(
          "file", new FormField(true, null, null),
          "image", new FormField(true, "image/png", null),
          "typed", new FormField(false, "text/csv", null),
          "csv", styled("csv", ParameterStyle.FORM, false));

  private static FormField styled(String name, ParameterStyle style, boolean explode) {
    return new FormField(false, null, new StyledParameter(name, style, explode, false));
  }

  private static String form(String body) {
    return new FormBody(compile("."), FORM, " (/body)")
        .evaluate(json(body), Scope.EMPTY, budget())
        .toString();
  }

  private static String parts(String body) {
    return new MultipartBody(compile("."), PARTS, " (/body)")
        .evaluate(json(body), Scope.EMPTY, budget())
        .toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":1,"b":"x","c":null}          ~ {"a":1,"b":"x"}
          {"a":[1,"x",null,{"k":[1]}]}      ~ {"a":[1,"x","{\\"k\\":[1]}"]}
          {"a":{"k":1}}                     ~ {"a":"{\\"k\\":1}"}
          {"a":[]}                          ~ {}
          {"csv":[1,2],"deep":{"a":1,"b":[2,3]}} ~ {"csv":"1,2","deep[a]":"1","deep[b]":["2","3"]}
          {"spread":{"x":1},"x":2}          ~ {"x":["1",2]}
          {"csv":null}                      ~ {}
          "a=1"                             ~ "a=1"
          [1]                               ~ [1]
          """)
  void shouldMakeForms(String body, String expected) {
    assertEquals(expected, form(body));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":1,"b":null,"c":["x",2]}  ~ {"a":1,"b":null,"c":["x",2]}
          {"a":{"k":1}}                 ~ {"a":{"content":{"k":1},"contentType":"application/json"}}
          {"a":[[1]]}                   ~ {"a":{"content":[1],"contentType":"application/json"}}
          {"a":{"base64":"aGk="}}       ~ {"a":{"base64":"aGk="}}
          {"a":{"content":"x","filename":"f"}} ~ {"a":{"content":"x","filename":"f"}}
          {"a":{"content":"x","k":1}}   ~ {"a":{"content":{"content":"x","k":1},"contentType":"application/json"}}
          {"file":"hi"}                 ~ {"file":{"content":"hi","contentType":"application/octet-stream","filename":"file"}}
          {"file":{"base64":"aGk="}}    ~ {"file":{"base64":"aGk=","filename":"file"}}
          {"file":["a",{"base64":"aGk=","filename":"b"}]} ~ {"file":[{"content":"a","contentType":"application/octet-stream","filename":"file"},{"base64":"aGk=","filename":"b"}]}
          {"image":{"base64":"aGk="}}   ~ {"image":{"base64":"aGk=","contentType":"image/png","filename":"image"}}
          {"image":{"base64":"aGk=","contentType":"image/gif"}} ~ {"image":{"base64":"aGk=","contentType":"image/gif","filename":"image"}}
          {"typed":"a,b"}               ~ {"typed":{"content":"a,b","contentType":"text/csv"}}
          {"csv":["a","b"]}             ~ {"csv":"a,b"}
          "--x--"                       ~ "--x--"
          """)
  void shouldMakeParts(String body, String expected) {
    assertEquals(expected, parts(body));
  }

  @Test
  void shouldTellWhereAValueHasNoForm() {
    ExpressionException refused =
        assertThrows(ExpressionException.class, () -> form("{\"csv\":[[1]]}"));

    assertEquals(
        "expected strings, numbers and booleans in the value of the parameter \"csv\", found array"
            + " ([1]); tojson makes a string of it (/body)",
        refused.getMessage());
  }

  @Test
  void shouldMakeABodyOfItsMembers() {
    MemberBody body =
        new MemberBody(
            List.of(
                new NameValuePairs.Member("b", compile(".n + 1"), ""),
                new NameValuePairs.Member("a", compile(".none"), "")));

    assertEquals(
        "{\"b\":3,\"a\":null}", body.evaluate(json("{\"n\":2}"), Scope.EMPTY, budget()).toString());
  }
}
