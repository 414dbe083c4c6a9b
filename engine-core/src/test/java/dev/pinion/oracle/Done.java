package dev.pinion.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A task that has completed and can be undone, with what its compensation sees. */
final class Done {
  static final String ERROR = "error";
  static final String INPUT = "input";
  static final String OUTPUT = "output";

  /** The last one first. */
  static final Comparator<Done> NEWEST_FIRST =
      Comparator.comparingInt((Done done) -> done.serial).reversed();

  final List<Task> compensation;
  final String pointer;
  final JsonNode output;
  final long millis;

  /** Whether it is sure to have completed; one of a branch that another one ends is not. */
  boolean certain = true;

  private final int serial;
  private final JsonNode input;
  private final Map<String, JsonNode> variables;

  /**
   * A completed task.
   *
   * @param serial its number in the order of completion within its branch
   * @param millis least time of its completion
   */
  Done(
      int serial,
      List<Task> compensation,
      String pointer,
      JsonNode input,
      JsonNode output,
      Map<String, JsonNode> variables,
      long millis) {
    this.serial = serial;
    this.compensation = compensation;
    this.pointer = pointer;
    this.input = input;
    this.output = output;
    this.variables = variables;
    this.millis = millis;
  }

  /** Variables of its compensation. */
  Map<String, JsonNode> seen(JsonNode reason) {
    Map<String, JsonNode> seen = Scope.plus(variables, ERROR, reason);
    return Scope.plus(Scope.plus(seen, INPUT, input), OUTPUT, output);
  }
}
