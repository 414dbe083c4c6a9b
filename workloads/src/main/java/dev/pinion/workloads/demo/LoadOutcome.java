package dev.pinion.workloads.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.LoadResult;

/**
 * Result of loading the engine with one workload.
 *
 * @param workload the workload
 * @param result result of the clients
 * @param calls calls counted by the stub meanwhile
 */
record LoadOutcome(Workload workload, LoadResult result, long calls) {
  long expectedCalls() {
    return Workload.CALLS * result.sent();
  }

  /** Whether every response was right and every call is accounted for. */
  boolean isRight() {
    return result.allAnswers() > 0 && result.errorCount() == 0 && calls == expectedCalls();
  }

  ObjectNode toJson() {
    ObjectNode json = result.toJson();
    json.put("workload", workload.id());
    json.put("calls", calls).put("expectedCalls", expectedCalls()).put("right", isRight());
    return json;
  }
}
