package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.model.Diagnostic;

/** Problems of a definition, as text and as JSON. */
public final class DiagnosticText {
  private DiagnosticText() {}

  /** {@code line:column: message}. */
  public static String line(Diagnostic problem) {
    String suggestion =
        problem.suggestion() == null ? "" : "; did you mean \"" + problem.suggestion() + "\"?";
    return problem.line() + ":" + problem.column() + ": " + problem.message() + suggestion;
  }

  /** The line of a problem in a response of an engine. */
  public static String line(JsonNode problem) {
    JsonNode suggestion = problem.path("suggestion");
    return line(
        new Diagnostic(
            problem.path("pointer").asText(),
            problem.path("line").asInt(),
            problem.path("column").asInt(),
            problem.path("detail").asText(),
            suggestion.isTextual() ? suggestion.asText() : null));
  }

  public static ObjectNode json(Diagnostic problem) {
    ObjectNode node = CommandOutput.JSON.createObjectNode();
    node.put("pointer", problem.pointer());
    node.put("line", problem.line());
    node.put("column", problem.column());
    node.put("detail", problem.message());
    if (problem.suggestion() != null) {
      node.put("suggestion", problem.suggestion());
    }
    return node;
  }
}
