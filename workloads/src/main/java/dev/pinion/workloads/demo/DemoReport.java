package dev.pinion.workloads.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * All results of a demonstration, for machines.
 *
 * @param topology the engine's topology of the machine
 * @param machine load of the machine before
 * @param processes the processes and their CPUs
 * @param runs one instance of each workload
 * @param calls the account of their calls
 * @param loads the load of each workload
 * @param kept whether engine and stub keep running
 */
record DemoReport(
    JsonNode topology,
    MachineLoad machine,
    List<ProcessPlacement> processes,
    List<InstanceResult> runs,
    CallReconciliation calls,
    List<LoadOutcome> loads,
    boolean kept) {
  /** Whether every result, every call and every load is right. */
  boolean isRight() {
    return runs.stream().allMatch(InstanceResult::isRight)
        && calls.balances()
        && loads.stream().allMatch(LoadOutcome::isRight);
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("right", isRight());
    json.set("topology", topology);
    json.set("machine", machine.toJson());
    processes.forEach(process -> json.withArray("/processes").add(process.toJson()));
    runs.forEach(run -> json.withArray("/runs").add(run.toJson()));
    json.set("calls", calls.toJson());
    loads.forEach(load -> json.withArray("/loads").add(load.toJson()));
    json.put("kept", kept);
    return json;
  }
}
