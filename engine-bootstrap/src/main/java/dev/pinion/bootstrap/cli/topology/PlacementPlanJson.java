package dev.pinion.bootstrap.cli.topology;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.placement.PlacementPlan;
import dev.pinion.bootstrap.placement.ReplicaSpec;

/** A plan as JSON, CPUs as arrays of numbers. */
public final class PlacementPlanJson {
  private PlacementPlanJson() {}

  public static ObjectNode of(PlacementPlan placementPlan) {
    ObjectNode node = CommandOutput.JSON.createObjectNode();
    ArrayNode replicas = node.putArray("replicas");
    placementPlan.replicas().forEach(spec -> replicas.add(replica(spec)));
    node.put("minReplicas", placementPlan.minReplicas());
    node.set("systemCpus", TopologyJson.cpus(placementPlan.system()));
    node.set("decisions", CommandOutput.JSON.valueToTree(placementPlan.decisions()));
    return node;
  }

  private static ObjectNode replica(ReplicaSpec spec) {
    ObjectNode node = CommandOutput.JSON.createObjectNode();
    node.put("index", spec.index());
    node.set("cpus", TopologyJson.cpus(spec.cpus()));
    node.set("critical", TopologyJson.cpus(spec.critical()));
    node.set("ancillary", TopologyJson.cpus(spec.ancillary()));
    node.set("pins", CommandOutput.JSON.valueToTree(spec.pins()));
    node.set("confinedTo", TopologyJson.cpus(spec.confined()));
    node.put("memoryNode", spec.memoryNode());
    node.put("heapBytes", spec.heapBytes());
    node.put("processors", spec.processors());
    node.put("gcThreads", spec.gcThreads());
    node.put("layout", spec.layout().toString());
    node.put("waiting", spec.waiting().toString());
    node.put("pinned", spec.pinned());
    return node;
  }
}
