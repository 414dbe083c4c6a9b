package dev.pinion.workloads.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.ResponseCheck.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Result of one instance.
 *
 * @param workload the workload
 * @param input its input
 * @param id id of the instance, empty when the response had none
 * @param state its state, empty when the response had none
 * @param output its output; missing when the response had none
 * @param millis time to the response in ms, of the first instance of an engine that has just
 *     started
 * @param problem fault of the response, or null
 */
record InstanceResult(
    Workload workload,
    JsonNode input,
    String id,
    String state,
    JsonNode output,
    double millis,
    @Nullable Problem problem) {
  boolean isRight() {
    return problem == null;
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("workload", workload.id()).put("id", id).put("state", state).put("ms", millis);
    json.put("cold", true);
    json.set("input", input);
    if (!output.isMissingNode()) {
      json.set("output", output);
    }
    json.put("right", isRight());
    if (problem != null) {
      json.put("problem", problem.kind() + ": " + problem.detail());
    }
    return json;
  }
}
