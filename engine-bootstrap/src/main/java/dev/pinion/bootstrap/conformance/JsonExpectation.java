package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.document.DocumentSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Values that scenarios expect: YAML 1.2 as in definitions, numbers compared by value. */
final class JsonExpectation {
  private static final DocumentReader READER = new DocumentReader(EngineLimits.defaults());

  /** Prefixes of the URIs of standard errors, in all editions of the specification. */
  private static final List<String> STANDARD_ERRORS =
      List.of(
          "https://serverlessworkflow.io/spec/1.0.0/errors/",
          "https://serverlessworkflow.io/dsl/errors/types/",
          "https://open-workflow-specification.org/dsl/errors/types/",
          "https://open-workflow-specification.org/spec/1.0.0/errors/");

  private static final Comparator<JsonNode> BY_VALUE =
      (a, b) ->
          a.isNumber() && b.isNumber()
              ? a.decimalValue().compareTo(b.decimalValue())
              : a.equals(b) ? 0 : 1;

  private JsonExpectation() {}

  /** The value of a text block. */
  static JsonNode parse(String text) throws ScenarioFailure {
    try {
      return READER.read(text, DocumentReader.YAML).json();
    } catch (DocumentSyntaxException e) {
      throw new ScenarioFailure("the text block is no YAML: " + e.getMessage());
    }
  }

  /** Whether two values are equal. */
  static boolean isSame(JsonNode expected, JsonNode found) {
    return expected.equals(BY_VALUE, found);
  }

  /** Fails unless two values are equal. */
  static void same(String what, JsonNode expected, JsonNode found) throws ScenarioFailure {
    if (!isSame(expected, found)) {
      throw new ScenarioFailure("expected " + what + " " + expected + ", found " + found);
    }
  }

  /** Fails unless an error has the expected members; the editions of a standard type are equal. */
  static void sameError(JsonNode expected, JsonNode found) throws ScenarioFailure {
    for (Map.Entry<String, JsonNode> member : expected.properties()) {
      JsonNode value = found.path(member.getKey());
      boolean equal =
          member.getKey().equals("type")
              ? shortType(member.getValue().asText()).equals(shortType(value.asText()))
              : member.getValue().equals(BY_VALUE, value);
      if (!equal) {
        throw new ScenarioFailure("expected an error with " + expected + ", found " + found);
      }
    }
  }

  private static String shortType(String type) {
    for (String prefix : STANDARD_ERRORS) {
      if (type.startsWith(prefix)) {
        return type.substring(prefix.length());
      }
    }
    return type;
  }

  /**
   * Fails unless a request has the expected members. Of header fields, those that are expected
   * count; {@code /…/} is a regular expression that their value contains.
   */
  static void sameRequest(JsonNode expected, ObjectNode found) throws ScenarioFailure {
    for (Map.Entry<String, JsonNode> member : expected.properties()) {
      JsonNode value = found.path(member.getKey());
      boolean equal =
          member.getKey().equals("headers")
              ? hasHeaders(member.getValue(), value)
              : member.getValue().equals(BY_VALUE, value);
      if (!equal) {
        throw new ScenarioFailure("expected a request with " + expected + ", found " + found);
      }
    }
  }

  private static boolean hasHeaders(JsonNode expected, JsonNode found) {
    for (Map.Entry<String, JsonNode> field : expected.properties()) {
      JsonNode value = found.path(ReceivedRequest.headerName(field.getKey()));
      if (field.getValue().isNull() ? !value.isMissingNode() : !matches(field.getValue(), value)) {
        return false;
      }
    }
    return true;
  }

  private static boolean matches(JsonNode expected, JsonNode found) {
    String text = expected.asText();
    if (found.isMissingNode()) {
      return false;
    }
    if (text.length() > 1 && text.startsWith("/") && text.endsWith("/")) {
      String pattern = text.substring(1, text.length() - 1);
      return Pattern.compile(pattern).matcher(found.asText()).find();
    }
    return text.equals(found.asText());
  }
}
