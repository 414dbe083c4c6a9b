package dev.pinion.oracle;

import com.fasterxml.jackson.databind.JsonNode;

/** A task has ended the whole workflow with its output. */
final class WorkflowEnd extends RuntimeException {
  private static final long serialVersionUID = 1;

  final transient JsonNode output;

  WorkflowEnd(JsonNode output) {
    super("the workflow ends here", null, false, false);
    this.output = output;
  }
}
