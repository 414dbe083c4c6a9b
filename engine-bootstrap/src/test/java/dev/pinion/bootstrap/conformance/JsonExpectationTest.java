package dev.pinion.bootstrap.conformance;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonExpectationTest {
  private static JsonNode yaml(String text) throws ScenarioFailure {
    return JsonExpectation.parse(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"1|1.0", "{a: [1, 2]}|{a: [1.0, 2e0]}", "yes|'yes'", "{a: 1, b: 2}|{b: 2, a: 1}"})
  void shouldCompareByValue(String expected, String found) throws Exception {
    JsonExpectation.same("output", yaml(expected), yaml(found));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"1|\"1\"", "[1, 2]|[2, 1]", "{a: 1}|{a: 1, b: 2}", "null|{}", "true|\"true\""})
  void shouldTellValuesApart(String expected, String found) throws Exception {
    JsonNode wanted = yaml(expected);
    JsonNode other = yaml(found);

    ScenarioFailure e =
        assertThrows(ScenarioFailure.class, () -> JsonExpectation.same("output", wanted, other));

    assertEquals("expected output " + wanted + ", found " + other, e.getMessage());
  }

  @Test
  void shouldCompareErrorsByTheirExpectedMembersAndEditionsOfTypes() throws Exception {
    JsonNode found =
        yaml(
            "{type: 'https://open-workflow-specification.org/spec/1.0.0/errors/timeout',"
                + " status: 408, instance: /do/0/a}");

    JsonExpectation.sameError(
        yaml("{type: 'https://serverlessworkflow.io/spec/1.0.0/errors/timeout', status: 408}"),
        found);
    JsonExpectation.sameError(
        yaml("{type: 'https://open-workflow-specification.org/dsl/errors/types/timeout'}"), found);
    JsonNode wrong = yaml("{status: 400}");
    assertThrows(ScenarioFailure.class, () -> JsonExpectation.sameError(wrong, found));
    JsonNode otherType = yaml("{type: 'https://errors.example/timeout'}");
    assertThrows(ScenarioFailure.class, () -> JsonExpectation.sameError(otherType, found));
  }

  @Test
  void shouldCompareRequestsByTheirExpectedMembersAndFields() throws Exception {
    ObjectNode found =
        (ObjectNode)
            yaml("{method: GET, headers: {x-a: one two, x-b: '2'}, query: {q: '1'}, body: null}");

    assertDoesNotThrow(
        () -> JsonExpectation.sameRequest(yaml("{headers: {X-A: '/^one/', X-B: 2}}"), found));
    assertDoesNotThrow(
        () -> JsonExpectation.sameRequest(yaml("{headers: {x-c: null}, body: null}"), found));
    for (String wrong :
        new String[] {
          "{headers: {x-a: one}}",
          "{headers: {x-a: '/^two/'}}",
          "{headers: {x-a: null}}",
          "{headers: {x-c: '/.*/'}}",
          "{query: {}}",
          "{body: {}}"
        }) {
      assertThrows(
          ScenarioFailure.class, () -> JsonExpectation.sameRequest(yaml(wrong), found), wrong);
    }
  }

  @Test
  void shouldTellWhatIsNoYaml() {
    ScenarioFailure e = assertThrows(ScenarioFailure.class, () -> yaml("{a: "));

    assertTrue(String.valueOf(e.getMessage()).startsWith("the text block is no YAML: "));
  }
}
