package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.WorkflowError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expressions under {@code evaluate.mode: loose}. */
class LooseExpressionsTest {
  private final DefinitionRuns runs =
      new DefinitionRuns(
          request ->
              TestService.Answer.ok(
                  "{\"path\":\"" + request.path() + "\",\"body\":" + request.body() + "}"));

  private String output(String task, String mode) throws Exception {
    return runs.output(
        "evaluate: {mode: " + mode + "}\ndo: [{a: {" + task + "}}]\n", "{\"n\":2,\"s\":\"x\"}");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          .n + 1          ; 3          ; ".n + 1"
          '${ .n + 1 }'   ; 3          ; 3
          Hello           ; "Hello"    ; "Hello"
          'Hello, world!' ; "Hello, world!" ; "Hello, world!"
          .s.b            ; ".s.b"     ; ".s.b"
          '42'            ; 42         ; "42"
          $unknown        ; "$unknown" ; "$unknown"
          'a ${ .n } b'   ; "a ${ .n } b" ; "a ${ .n } b"
          ''              ; ""         ; ""
          .missing        ; null       ; ".missing"
          7               ; 7          ; 7
          """)
  void shouldEvaluateEveryTextThatCanBe(String text, String loose, String strict) throws Exception {
    assertEquals("{\"x\":" + loose + "}", output("set: {x: " + text + "}", "loose"));
    assertEquals("{\"x\":" + strict + "}", output("set: {x: " + text + "}", "strict"));
  }

  @Test
  void shouldKeepTheTextOfAnExpressionThatFails() throws Exception {
    assertEquals(
        "{\"x\":\"${ .n | .b }\",\"y\":[\"${ .a + }\",2]}",
        output("set: {x: '${ .n | .b }', y: ['${ .a + }', .n]}", "loose"));
  }

  @Test
  void shouldEvaluateTransformationsLoosely() throws Exception {
    assertEquals(
        "{\"as\":\"not an expression\"}",
        output("set: {v: 1}, output: {as: {as: not an expression}}", "loose"));
    assertEquals("\"no such thing\"", output("set: {v: 1}, output: {as: no such thing}", "loose"));
    assertEquals("3", output("input: {from: .n}, set: . + 1", "loose"));
  }

  @Test
  void shouldKeepEndpointsAndDurationsWhatTheyAre() throws Exception {
    assertEquals(
        "{\"path\":\"/x/2\",\"body\":{\"text\":\"plain text\",\"n\":2}}",
        output(
            "call: http, with: {method: post, endpoint: 'http://services.test/x/{n}',"
                + " body: {text: plain text, n: .n}}",
            "loose"));
    assertEquals(
        "\"/y2\"",
        output(
            "call: http, with: {method: post, endpoint: '\"http://services.test/y\\(.n)\"',"
                + " body: 1}, output: {as: .path}",
            "loose"));
    assertEquals("{\"n\":2,\"s\":\"x\"}", output("wait: PT0S", "loose"));
    assertEquals("{\"n\":2,\"s\":\"x\"}", output("wait: '\"PT\\(.n)S\"'", "loose"));
  }

  @Test // Both had to stand within ${ }
  void shouldEvaluateWholeHeadersAndQueriesLoosely() throws Exception {
    DefinitionRuns seen =
        new DefinitionRuns(
            request ->
                TestService.Answer.ok(
                    "\"" + request.authorization() + " " + request.uri().getQuery() + "\""));
    String call =
        "evaluate: {mode: loose}\n"
            + "do: [{a: {call: http, with: {method: get, endpoint: 'http://services.test/x',"
            + " headers: '{Authorization: (\"Bearer \" + .s)}', query: QUERY}}}]\n";

    assertEquals(
        "\"Bearer x n=2\"",
        seen.output(call.replace("QUERY", "'{n: .n}'"), "{\"n\":2,\"s\":\"x\"}"));
    WorkflowError error = seen.error(call.replace("QUERY", ".s | .b"), "{\"s\":\"x\"}");
    assertTrue(error.type().endsWith("/expression"), error.type());
  }

  @Test
  void shouldEvaluateAttributesOfEventsLoosely() throws Exception {
    assertEquals(
        "[\"1.0\",\"com.example.tried\",\"/a/2\",\"x\",{\"n\":2,\"t\":\"some text\"}]",
        output(
            "emit: {event: {with: {specversion: '1.0', type: com.example.tried, source: '/a/{n}',"
                + " subject: .s, data: {n: .n, t: some text}}}},"
                + " output: {as: '[.specversion, .type, .source, .subject, .data]'}",
            "loose"));
  }

  /** A text is no condition: that it counted as true would be the contrary of what was meant. */
  @Test
  void shouldStillFailWhereAConditionFails() throws Exception {
    WorkflowError error =
        runs.error("evaluate: {mode: loose}\ndo: [{a: {if: .n | .b, set: {x: 1}}}]\n", "{\"n\":1}");

    assertTrue(error.type().endsWith("/expression"), error.type());
  }
}
