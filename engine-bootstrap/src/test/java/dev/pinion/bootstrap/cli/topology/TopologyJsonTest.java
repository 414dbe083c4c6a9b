package dev.pinion.bootstrap.cli.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.topology.CapturedMachines;
import dev.pinion.bootstrap.topology.Machines;
import dev.pinion.bootstrap.topology.Topology;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TopologyJsonTest {
  private static final List<String> SAME =
      List.of(
          "logicalCpus",
          "onlineCpus",
          "offlineCpus",
          "allowedCpus",
          "packages",
          "cores",
          "cacheInstances",
          "llcPrivate",
          "expectedGroupsFrom");

  private static final List<String> SAME_IN_ANY_ORDER =
      List.of(
          "packageGroups",
          "smtSiblings",
          "numaNodes",
          "llcGroups",
          "llcGroupsAllowed",
          "expectedGroups",
          "expectedGroupsAllowed");

  static List<CapturedMachines.Machine> machines() throws IOException {
    return CapturedMachines.all();
  }

  @ParameterizedTest
  @MethodSource("machines")
  void shouldTellCapturedMachineInTheSameWords(CapturedMachines.Machine machine) {
    ObjectNode found = json(machine.probe());

    for (String name : SAME) {
      assertEquals(machine.expected().get(name).toString(), String.valueOf(found.get(name)), name);
    }
    for (String name : SAME_IN_ANY_ORDER) {
      assertEquals(texts(machine.expected().get(name)), texts(found.get(name)), name);
    }
    assertEquals(machine.expected().get("llcByNode").isNull(), found.get("llcByNode").isNull());
  }

  @Test
  void shouldTellThePlan() {
    ObjectNode found = json(Machines.sosoaM1());

    assertEquals("[0,1,2,3,4]", found.at("/plan/replicas/0/critical").toString());
    assertEquals("[5]", found.at("/plan/replicas/0/ancillary").toString());
    assertEquals("[5]", found.at("/plan/replicas/0/confinedTo").toString());
    assertEquals(3, found.at("/plan/replicas/0/pins/fused-3").asInt());
    assertEquals(1, found.at("/plan/replicas/1/memoryNode").asInt());
    assertEquals("park", found.at("/plan/replicas/1/waiting").asText());
    assertTrue(found.at("/plan/replicas/1/pinned").asBoolean());
    assertEquals("[11]", found.at("/plan/systemCpus").toString());
    assertEquals(2, found.at("/plan/minReplicas").asInt());
  }

  @Test
  void shouldTellKindsOfCores() {
    ObjectNode found =
        json(
            new Machines.Builder()
                .cpus(4, 4)
                .cache(3, "8M", 4)
                .file("sys/devices/cpu_core/cpus", "0-1")
                .file("sys/devices/cpu_atom/cpus", "2-3")
                .probe());

    assertEquals(
        "[{\"name\":\"cpu_core\",\"cpus\":[0,1]},{\"name\":\"cpu_atom\",\"cpus\":[2,3]}]",
        found.get("coreKinds").toString());
  }

  private static Set<String> texts(JsonNode array) {
    Set<String> texts = new HashSet<>();
    array.forEach(each -> texts.add(each.toString()));
    return texts;
  }

  private static ObjectNode json(Topology topology) {
    return TopologyJson.of(topology, PlacementPlanner.plan(topology, PlacementSettings.AUTO));
  }
}
