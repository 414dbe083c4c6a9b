package dev.pinion.core.diagram;

import com.fasterxml.jackson.databind.JsonNode;

/** Calls of the function that runs tasks for all items at the same time. */
final class ParallelLoops {
  private static final String FUNCTION = "parallelForEach:";

  private ParallelLoops() {}

  /** Whether a task is one. */
  static boolean isOne(JsonNode task) {
    return task.path("call").asText().startsWith(FUNCTION);
  }
}
