package dev.pinion.bootstrap.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.topology.CapturedMachines;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Machines;
import dev.pinion.bootstrap.topology.Topology;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlacementPlannerTest {
  private static final long GIGABYTE = 1L << 30;

  @Test
  void shouldPlanOneReplicaForEachLastLevelCache() {
    assertEquals(List.of("0-5", "6-11"), cpus(auto(Machines.sosoaM1())));
    assertEquals(8, auto(Machines.sosoaM2()).replicas().size());
    assertEquals(List.of("0-1", "2-3"), cpus(auto(Machines.sosoaM3())));
  }

  @Test
  void shouldShareHeapOverReplicas() {
    Plan plan = auto(Machines.sosoaM1());

    assertEquals(
        List.of(2 * GIGABYTE, 2 * GIGABYTE),
        plan.replicas().stream().map(ReplicaSpec::heapBytes).toList());
  }

  @Test
  void shouldCapDefaultHeapButNotOneAskedFor() {
    Topology big = new Machines.Builder().cpus(2, 2).cache(3, "8M", 2).memory(256).probe();

    assertEquals(4 * GIGABYTE, auto(big).replicas().getFirst().heapBytes());
    assertEquals(
        32 * GIGABYTE,
        PlacementPlanner.plan(big, new PlacementSettings(null, null, 32 * GIGABYTE, false))
            .replicas()
            .getFirst()
            .heapBytes());
  }

  @Test
  void shouldJoinGroupsThatCannotHaveTheLeastHeap() {
    // given eight groups, but memory for the heaps of two
    Topology small = new Machines.Builder().cpus(16, 4).cache(2, "4M", 2).memory(1).probe();

    // when
    Plan plan = auto(small);

    // then
    assertEquals(List.of("0-7", "8-15"), cpus(plan));
    assertEquals(PlacementPlanner.MIN_HEAP_BYTES, plan.replicas().getFirst().heapBytes());
    assertTrue(plan.decisions().toString().contains("memory allows 2 replicas"));
  }

  @Test
  void shouldRefuseHeapBelowFloor() {
    Topology machine = Machines.sosoaM1();
    long tooLittle = 2 * PlacementPlanner.MIN_HEAP_BYTES - 1;

    assertThrows(
        IllegalArgumentException.class,
        () -> PlacementPlanner.plan(machine, new PlacementSettings(2, null, tooLittle, false)));
    assertEquals(
        2,
        PlacementPlanner.plan(machine, new PlacementSettings(2, null, tooLittle + 1, false))
            .replicas()
            .size());
  }

  @Test
  void shouldJoinNeighboursForFewerReplicas() {
    assertEquals(List.of("0-3", "4-7", "8-11", "12-15"), cpus(plan(Machines.sosoaM2(), 4)));
    assertEquals(List.of("0-15"), cpus(plan(Machines.sosoaM2(), 1)));
  }

  @Test
  void shouldSplitGroupsForMoreReplicas() {
    assertEquals(List.of("0-2", "3-5", "6-8", "9-11"), cpus(plan(Machines.sosoaM1(), 4)));
    assertEquals(12, plan(Machines.sosoaM1(), 12).replicas().size());
    assertThrows(IllegalArgumentException.class, () -> plan(Machines.sosoaM1(), 13));
  }

  @Test
  void shouldSplitCacheThatSpansNodes() {
    Topology clustered =
        new Machines.Builder().cpus(8, 8).cache(3, "32M", 8).nodes(4).memory(16).probe();

    Plan plan = auto(clustered);

    assertEquals(List.of("0-3", "4-7"), cpus(plan));
    assertTrue(plan.decisions().toString().contains("split by node"));
  }

  @Test
  void shouldJoinSingleCoresByNode() {
    Topology privateCaches =
        new Machines.Builder().cpus(8, 8).cache(2, "1M", 1).nodes(4).memory(16).probe();

    assertEquals(List.of("0-3", "4-7"), cpus(auto(privateCaches)));
  }

  @Test
  void shouldJoinSingleCoresByPackageWithoutNodes() {
    Topology privateCaches = new Machines.Builder().cpus(4, 2).cache(2, "1M", 1).memory(16).probe();

    assertEquals(List.of("0-1", "2-3"), cpus(auto(privateCaches)));
  }

  @Test
  void shouldLeaveACoreToAncillaryThreadsWhereThereAreEnough() {
    ReplicaSpec six = auto(Machines.sosoaM1()).replicas().getFirst();
    ReplicaSpec two = auto(Machines.sosoaM3()).replicas().getFirst();

    assertEquals("0-4", six.critical().toString());
    assertEquals("5", six.ancillary().toString());
    assertEquals(new Layout.Fused(5), six.layout());
    assertEquals("0-1", two.critical().toString());
    assertEquals("0-1", two.ancillary().toString());
    assertEquals(new Layout.Fused(2), two.layout());
  }

  @Test
  void shouldPinOnlyWhenEachLoopHasACpu() {
    Topology machine = Machines.sosoaM3();

    assertTrue(with(machine, new Layout.Fused(2), false).pinned());
    assertTrue(with(machine, new Layout.Fused(1), false).pinned());
    assertFalse(with(machine, new Layout.Pipelined(1, 1, 1), false).pinned());
  }

  @Test
  void shouldNotPinOnASingleCpu() {
    Topology one = new Machines.Builder().cpus(1, 1).cache(2, "1M", 1).memory(4).probe();

    assertFalse(auto(one).replicas().getFirst().pinned());
  }

  @Test
  void shouldRefuseToSpinWithoutACpuForEachLoop() {
    Topology machine = Machines.sosoaM3();

    assertThrows(
        IllegalArgumentException.class, () -> with(machine, new Layout.Pipelined(1, 1, 1), true));
    assertEquals(2, with(machine, new Layout.Fused(2), true).layout().loops());
  }

  @Test
  void shouldNotPlanMoreLoopsThanCpuTimeIsGranted() {
    Topology limited =
        new Machines.Builder()
            .cpus(4, 4)
            .cache(3, "8M", 4)
            .memory(4)
            .file("proc/mounts", "cgroup /sys/fs/cgroup cgroup2 rw 0 0\n")
            .file("proc/self/cgroup", "0::/\n")
            .file("sys/fs/cgroup/cpu.max", "100000 100000\n")
            .probe();

    assertEquals(1, auto(limited).replicas().getFirst().layout().loops());
  }

  static List<CapturedMachines.Machine> machines() throws IOException {
    return CapturedMachines.all();
  }

  @ParameterizedTest
  @MethodSource("machines")
  void shouldPartitionTheAllowedCpusOfEachCapturedMachine(CapturedMachines.Machine machine) {
    Topology topology = machine.probe();
    Plan plan = auto(topology);

    List<CpuSet> sets = plan.replicas().stream().map(ReplicaSpec::cpus).toList();
    assertEquals(topology.allowed(), CpuSet.union(sets));
    assertEquals(topology.allowed().size(), sets.stream().mapToInt(CpuSet::size).sum());
    for (ReplicaSpec spec : plan.replicas()) {
      assertEquals(spec.cpus(), spec.critical().or(spec.ancillary()));
      assertTrue(spec.heapBytes() >= PlacementPlanner.MIN_HEAP_BYTES);
      boolean single = topology.cores().stream().anyMatch(core -> core.containsAll(spec.cpus()));
      assertTrue(!single || plan.replicas().size() == 1, () -> plan.toString());
    }
  }

  private static Plan auto(Topology topology) {
    return PlacementPlanner.plan(topology, PlacementSettings.AUTO);
  }

  private static Plan plan(Topology topology, int replicas) {
    return PlacementPlanner.plan(topology, new PlacementSettings(replicas, null, null, false));
  }

  private static ReplicaSpec with(Topology topology, Layout layout, boolean spin) {
    return PlacementPlanner.plan(topology, new PlacementSettings(null, layout, null, spin))
        .replicas()
        .getFirst();
  }

  private static List<String> cpus(Plan plan) {
    return plan.replicas().stream().map(spec -> spec.cpus().toString()).toList();
  }
}
