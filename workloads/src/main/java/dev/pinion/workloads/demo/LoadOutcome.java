package dev.pinion.workloads.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.LoadResult;

/**
 * What came of loading the engine with one workload.
 *
 * @param workload the workload
 * @param result what the clients saw
 * @param calls what the stub counted meanwhile
 */
record LoadOutcome(Workload workload, LoadResult result, long calls) {
  long expectedCalls() {
    return Workload.CALLS * result.sent();
  }

  /** Whether every answer was right and every call is accounted for. */
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
