package dev.pinion.bootstrap.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.topology.CapturedMachines.Machine;
import dev.pinion.bootstrap.topology.Topology.AffinityGroup;
import dev.pinion.bootstrap.topology.Topology.Cache;
import dev.pinion.bootstrap.topology.Topology.CpuPackage;
import dev.pinion.bootstrap.topology.Topology.NumaNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CapturedMachinesTest {
  static List<Machine> machines() throws IOException {
    return CapturedMachines.all();
  }

  @ParameterizedTest
  @MethodSource("machines")
  void shouldFindExpectedGroups(Machine machine) {
    Topology found = machine.probe();
    assertTrue(
        groupsMatch(machine, found),
        () -> "expected " + machine.expected().get("expectedGroups") + ", found " + found.groups());
    assertEquals(
        sets(machine.expected().get("expectedGroupsAllowed")), sets(found.allowedGroups()));
  }

  @Test
  void shouldCountHowManyMachinesAgree(TestReporter reporter) throws IOException {
    List<Machine> machines = CapturedMachines.all();
    report(reporter, machines, "groups", CapturedMachinesTest::groupsMatch, machines.size());
    report(
        reporter,
        machines,
        "allowed",
        (m, t) ->
            cpus(m.expected().get("allowedCpus")).equals(t.allowed())
                && cpus(m.expected().get("onlineCpus")).equals(t.online())
                && cpus(m.expected().get("offlineCpus")).equals(t.offline()),
        machines.size());
    report(
        reporter,
        machines,
        "packages",
        (m, t) ->
            m.expected().get("packages").asInt() == t.packages().size()
                && (t.packages().isEmpty()
                    || sets(m.expected().get("packageGroups"))
                        .equals(setsOf(t.packages().stream().map(CpuPackage::cpus).toList()))),
        machines.size());
    report(
        reporter,
        machines,
        "cores",
        (m, t) ->
            m.expected().get("cores").asInt() == t.cores().size()
                && sets(m.expected().get("smtSiblings"))
                    .equals(setsOf(t.cores().stream().filter(c -> c.size() > 1).toList())),
        machines.size());
    report(reporter, machines, "nodes", (m, t) -> nodesMatch(m, t), machines.size());
    report(reporter, machines, "caches", (m, t) -> cachesMatch(m, t), machines.size());
  }

  private static void report(
      TestReporter reporter,
      List<Machine> machines,
      String what,
      BiPredicate<Machine, Topology> matches,
      int atLeast) {
    List<String> wrong = new ArrayList<>();
    for (Machine machine : machines) {
      if (!matches.test(machine, machine.probe())) {
        wrong.add(machine.name());
      }
    }
    int right = machines.size() - wrong.size();
    reporter.publishEntry(what, right + " of " + machines.size() + " machines");
    assertTrue(right >= atLeast, () -> what + " differ on " + wrong);
  }

  private static boolean groupsMatch(Machine machine, Topology found) {
    Set<CpuSet> groups = sets(found.groups());
    List<JsonNode> accepted = new ArrayList<>();
    accepted.add(machine.expected().get("expectedGroups"));
    machine.expected().path("alternatives").path("expectedGroups").forEach(accepted::add);
    return accepted.stream().anyMatch(each -> sets(each).equals(groups));
  }

  private static boolean nodesMatch(Machine machine, Topology found) {
    Set<NumaNode> expected = new HashSet<>();
    for (JsonNode node : machine.expected().get("numaNodes")) {
      expected.add(
          new NumaNode(
              node.get("id").asInt(), cpus(node.get("cpus")), node.get("memBytes").asLong()));
    }
    return expected.equals(new HashSet<>(found.nodes()));
  }

  private static boolean cachesMatch(Machine machine, Topology found) {
    TreeMap<String, Integer> expected = new TreeMap<>();
    machine
        .expected()
        .get("cacheInstances")
        .properties()
        .forEach(entry -> expected.put(entry.getKey(), entry.getValue().asInt()));
    TreeMap<String, Integer> counted = new TreeMap<>();
    for (Cache cache : found.caches()) {
      counted.merge(cache.label(), 1, Integer::sum);
    }
    return expected.equals(counted);
  }

  private static Set<CpuSet> sets(List<AffinityGroup> groups) {
    return setsOf(groups.stream().map(AffinityGroup::cpus).toList());
  }

  private static Set<CpuSet> setsOf(List<CpuSet> sets) {
    return new HashSet<>(sets);
  }

  private static Set<CpuSet> sets(JsonNode groups) {
    return StreamSupport.stream(groups.spliterator(), false)
        .map(CapturedMachinesTest::cpus)
        .collect(Collectors.toSet());
  }

  private static CpuSet cpus(JsonNode array) {
    return CpuSet.of(StreamSupport.stream(array.spliterator(), false).mapToInt(JsonNode::asInt));
  }
}
