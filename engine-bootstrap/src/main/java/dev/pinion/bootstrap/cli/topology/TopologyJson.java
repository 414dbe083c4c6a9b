package dev.pinion.bootstrap.cli.topology;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.placement.PlacementPlan;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.AffinityGroup;
import dev.pinion.bootstrap.topology.Topology.Cache;
import dev.pinion.bootstrap.topology.Topology.CoreKind;
import dev.pinion.bootstrap.topology.Topology.CpuPackage;
import dev.pinion.bootstrap.topology.Topology.GroupSource;
import dev.pinion.bootstrap.topology.Topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A machine and its plan as JSON, CPUs as arrays of numbers. */
public final class TopologyJson {
  private final Topology topology;
  private final ObjectNode root = CommandOutput.JSON.createObjectNode();

  private TopologyJson(Topology topology) {
    this.topology = topology;
  }

  public static ObjectNode of(Topology topology, PlacementPlan placementPlan) {
    TopologyJson json = new TopologyJson(topology);
    json.addCpus();
    json.addCoreKinds();
    json.addNodes();
    json.addCaches();
    json.addGroups();
    json.addMemory();
    json.root.set("plan", PlacementPlanJson.of(placementPlan));
    json.root.set("notes", CommandOutput.JSON.valueToTree(topology.notes()));
    return json.root;
  }

  private void addCpus() {
    root.put("logicalCpus", topology.online().size());
    root.set("onlineCpus", cpus(topology.online()));
    root.set("offlineCpus", cpus(topology.offline()));
    root.set("allowedCpus", cpus(topology.allowed()));
    List<CpuSet> packages = topology.packages().stream().map(CpuPackage::cpus).toList();
    if (packages.isEmpty()) {
      root.putNull("packages");
      root.set("packageGroups", sets(List.of(topology.online())));
    } else {
      root.put("packages", packages.size());
      root.set("packageGroups", sets(packages));
    }
    root.put("cores", topology.cores().size());
    root.set(
        "smtSiblings", sets(topology.cores().stream().filter(core -> core.size() > 1).toList()));
  }

  private void addCoreKinds() {
    ArrayNode kinds = root.putArray("coreKinds");
    for (CoreKind kind : topology.coreKinds()) {
      kinds.addObject().put("name", kind.name()).set("cpus", cpus(kind.cpus()));
    }
  }

  private void addNodes() {
    ArrayNode nodes = root.putArray("numaNodes");
    for (NumaNode node : topology.nodes()) {
      ObjectNode each = nodes.addObject();
      each.put("id", node.id());
      each.set("cpus", cpus(node.cpus()));
      each.put("memBytes", node.memBytes() == 0 ? null : node.memBytes());
    }
    root.set("memNodesAllowed", cpus(topology.memoryNodes()));
  }

  private void addCaches() {
    Map<String, Integer> counts = new TreeMap<>();
    for (Cache cache : topology.caches()) {
      counts.merge(cache.label(), 1, Integer::sum);
    }
    root.set("cacheInstances", CommandOutput.JSON.valueToTree(counts));
  }

  private void addGroups() {
    boolean fromCaches = topology.groupsFrom() == GroupSource.LLC;
    List<AffinityGroup> cached = fromCaches ? topology.groups() : List.of();
    ArrayNode groups = root.putArray("llcGroups");
    for (AffinityGroup group : cached) {
      ObjectNode each = groups.addObject();
      each.put("level", group.level());
      each.put("sizeBytes", group.sizeBytes());
      each.set("cpus", cpus(group.cpus()));
    }
    List<CpuSet> all = topology.groups().stream().map(AffinityGroup::cpus).toList();
    List<CpuSet> allowed = topology.allowedGroups().stream().map(AffinityGroup::cpus).toList();
    root.set("llcGroupsAllowed", sets(fromCaches ? allowed : List.of()));
    root.put("llcPrivate", cached.size() > 1 && all.stream().allMatch(this::oneCore));
    addByNode(cached);
    root.set("expectedGroups", sets(all));
    root.put("expectedGroupsFrom", topology.groupsFrom().name().toLowerCase(Locale.ROOT));
    root.set("expectedGroupsAllowed", sets(allowed));
  }

  private boolean oneCore(CpuSet group) {
    return topology.cores().stream().anyMatch(core -> core.containsAll(group));
  }

  private void addByNode(List<AffinityGroup> groups) {
    List<CpuSet> parts = new ArrayList<>();
    for (AffinityGroup group : groups) {
      topology.nodes().stream()
          .map(node -> node.cpus().and(group.cpus()))
          .filter(part -> !part.isEmpty())
          .forEach(parts::add);
    }
    if (parts.size() > groups.size()) {
      root.set("llcByNode", sets(parts));
    } else {
      root.putNull("llcByNode");
    }
  }

  private void addMemory() {
    root.put("memBytes", topology.memory().totalBytes());
    root.put("memBytesAllowed", topology.memory().allowedBytes());
    root.put("cpuQuota", topology.cpuQuota());
  }

  private static ArrayNode sets(List<CpuSet> sets) {
    ArrayNode array = CommandOutput.JSON.createArrayNode();
    sets.forEach(set -> array.add(cpus(set)));
    return array;
  }

  static ArrayNode cpus(CpuSet set) {
    ArrayNode array = CommandOutput.JSON.createArrayNode();
    set.stream().forEach(array::add);
    return array;
  }
}
