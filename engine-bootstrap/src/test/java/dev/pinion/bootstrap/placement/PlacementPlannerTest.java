package dev.pinion.bootstrap.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.topology.CapturedMachines;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Machines;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.core.settings.StageLayout;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PlacementPlannerTest {
  private static final long GIGABYTE = 1L << 30;

  @Test
  void shouldPlanOneReplicaForEachLastLevelCache() {
    assertEquals(List.of("0-5", "6-11"), cpus(whole(Machines.sosoaM1(), "auto")));
    assertEquals(8, auto(Machines.sosoaM2()).replicas().size());
    assertEquals(List.of("0-1", "2-3"), cpus(whole(Machines.sosoaM3(), "auto")));
  }

  @Test
  void shouldShareHeapOverReplicas() {
    PlacementPlan placementPlan = auto(Machines.sosoaM1());

    assertEquals(
        List.of(2 * GIGABYTE, 2 * GIGABYTE),
        placementPlan.replicas().stream().map(ReplicaSpec::heapBytes).toList());
  }

  @Test
  void shouldTakeAQuarterOfMemoryUnlessAskedOtherwise() {
    Topology big = new Machines.Builder().cpus(2, 2).cache(3, "8M", 2).memory(256).probe();

    assertEquals(64 * GIGABYTE, auto(big).replicas().getFirst().heapBytes());
    assertEquals(
        32 * GIGABYTE,
        PlacementPlanner.plan(big, PlacementSettings.AUTO.withHeapBytes(32 * GIGABYTE))
            .replicas()
            .getFirst()
            .heapBytes());
  }

  @Test
  void shouldJoinGroupsThatCannotHaveTheLeastHeap() {
    // given eight groups, but memory for the heaps of two
    Topology small = new Machines.Builder().cpus(16, 4).cache(2, "4M", 2).memory(1).probe();

    // when
    PlacementPlan placementPlan = auto(small);

    // then
    assertEquals(List.of("0-7", "8-14"), cpus(placementPlan));
    assertEquals(PlacementPlanner.MIN_HEAP_BYTES, placementPlan.replicas().getFirst().heapBytes());
    assertTrue(placementPlan.decisions().toString().contains("memory allows 2 replicas"));
  }

  // Field fault 24: "event loops are 256 in all: the 336 of auto are shared out"
  @Test
  void shouldSayWhyFewerLoopsThanThoseOfAutoAreThere() {
    Topology machine =
        new Machines.Builder().cpus(512, 256).cache(3, "32M", 16).memory(512).probe();

    PlacementPlan placementPlan = whole(machine, "1");

    String told =
        placementPlan.decisions().stream()
            .filter(each -> each.startsWith("event loops"))
            .findFirst()
            .orElse("");
    assertTrue(
        told.startsWith("event loops are 256 in all: these replicas have no room for all "), told);
    assertTrue(told.contains("at most 256"), told);
  }

  @Test
  void shouldRefuseHeapBelowFloor() {
    Topology machine = Machines.sosoaM1();
    PlacementSettings two = PlacementSettings.AUTO.withReplicas("2");
    long tooLittle = 2 * PlacementPlanner.MIN_HEAP_BYTES - 1;

    assertThrows(
        IllegalArgumentException.class,
        () -> PlacementPlanner.plan(machine, two.withHeapBytes(tooLittle)));
    assertEquals(
        2, PlacementPlanner.plan(machine, two.withHeapBytes(tooLittle + 1)).replicas().size());
  }

  @Test
  void shouldJoinNeighboursForFewerReplicas() {
    assertEquals(List.of("0-3", "4-7", "8-11", "12-15"), cpus(whole(Machines.sosoaM2(), "4")));
    assertEquals(List.of("0-15"), cpus(whole(Machines.sosoaM2(), "1")));
  }

  @Test
  void shouldJoinAcrossPackagesOnlyWhereThereAreMoreOfThemThanReplicas() {
    // given packages of four and four caches, of four and two, and of one node and two
    Topology even = new Machines.Builder().cpus(16, 8).cache(2, "4M", 2).memory(16).probe();
    Topology uneven = new Machines.Builder().cpus(12, 8).cache(2, "4M", 2).memory(16).probe();
    Topology nodes =
        new Machines.Builder().cpus(24, 16).cache(2, "4M", 2).nodes(8).memory(16).probe();

    assertEquals(List.of("0-3", "4-7", "8-15"), cpus(whole(even, "3")));
    assertEquals(List.of("0-7", "8-15"), cpus(whole(even, "2")));
    assertEquals(List.of("0-15"), cpus(whole(even, "1")));
    assertEquals(List.of("0-7", "8-11"), cpus(whole(uneven, "2")));
    assertEquals(List.of("0-1", "2-3", "4-7", "8-11"), cpus(whole(uneven, "4")));
    assertEquals(List.of("0-7", "8-15", "16-23"), cpus(whole(nodes, "3")));
    assertEquals(List.of("0-3", "4-7", "8-15", "16-23"), cpus(whole(nodes, "4")));
    assertEquals(List.of("0-3", "4-7", "8-15"), cpus(whole(Machines.sosoaM2(), "3")));
  }

  @Test
  void shouldSplitGroupsForMoreReplicas() {
    assertEquals(List.of("0-2", "3-5", "6-8", "9-11"), cpus(whole(Machines.sosoaM1(), "4")));
    assertEquals(
        List.of("0-1", "2-3", "4-5", "6-7", "8-9", "10-11"), cpus(whole(Machines.sosoaM1(), "6")));
    assertEquals(List.of("0-1", "2-3", "4-5", "6-8", "9-11"), cpus(whole(Machines.sosoaM1(), "5")));
    assertEquals(12, plan(Machines.sosoaM1(), "12").replicas().size());
    assertThrows(IllegalArgumentException.class, () -> plan(Machines.sosoaM1(), "13"));
  }

  @Test
  void shouldSplitCacheThatSpansNodes() {
    Topology clustered =
        new Machines.Builder().cpus(8, 8).cache(3, "32M", 8).nodes(4).memory(16).probe();

    PlacementPlan placementPlan = whole(clustered, "auto");

    assertEquals(List.of("0-3", "4-7"), cpus(placementPlan));
    assertTrue(placementPlan.decisions().toString().contains("split by node"));
  }

  @Test
  void shouldJoinSingleCoresByNode() {
    Topology privateCaches =
        new Machines.Builder().cpus(8, 8).cache(2, "1M", 1).nodes(4).memory(16).probe();

    assertEquals(List.of("0-3", "4-7"), cpus(whole(privateCaches, "auto")));
  }

  @Test
  void shouldJoinSingleCoresByPackageWithoutNodes() {
    Topology privateCaches = new Machines.Builder().cpus(4, 2).cache(2, "1M", 1).memory(16).probe();

    assertEquals(List.of("0-1", "2-3"), cpus(whole(privateCaches, "auto")));
  }

  @Test
  void shouldLeaveACoreToAncillaryThreadsWhereThereAreEnough() {
    ReplicaSpec six = auto(Machines.sosoaM1()).replicas().getFirst();
    ReplicaSpec two = auto(Machines.sosoaM3()).replicas().getFirst();

    assertEquals("0-4", six.critical().toString());
    assertEquals("5", six.ancillary().toString());
    assertEquals("5", six.confined().toString());
    assertEquals(6, six.processors());
    assertEquals(6, six.gcThreads());
    assertEquals("0-5", six.collecting().toString());
    assertEquals(new StageLayout.Fused(5), six.layout());
    assertEquals(
        Map.of("fused-0", 0, "fused-1", 1, "fused-2", 2, "fused-3", 3, "fused-4", 4), six.pins());
    assertEquals("0-1", two.critical().toString());
    assertEquals("0-1", two.ancillary().toString());
    assertEquals("0-1", two.confined().toString());
    assertEquals(2, two.gcThreads());
    assertEquals("0-1", two.collecting().toString());
    assertEquals(new StageLayout.Fused(2), two.layout());
  }

  @Test
  void shouldHaveFewerThreadsOfCollectionThanCpusOnManyCpus() {
    Topology nine = new Machines.Builder().cpus(9, 1).cache(3, "32M", 9).memory(16).probe();
    Topology seventeen = new Machines.Builder().cpus(17, 1).cache(3, "32M", 17).memory(16).probe();

    // one CPU is left to the system
    assertEquals(8, auto(nine).replicas().getFirst().gcThreads());
    assertEquals(13, auto(seventeen).replicas().getFirst().gcThreads());
  }

  @Test
  void shouldLeaveCpusWithoutEventLoopToAncillaryThreads() {
    ReplicaSpec spec = with(Machines.sosoaM3(), "1", new StageLayout.Fused(1));

    assertEquals("0", spec.critical().toString());
    assertEquals("1-3", spec.ancillary().toString());
    assertTrue(spec.apart());
  }

  @Test
  void shouldLeaveOneCpuToTheSystemWhereThereAreFour() {
    Topology machine = new Machines.Builder().cpus(4, 4).cache(3, "8M", 4).memory(4).probe();
    PlacementPlan four = auto(machine);

    assertEquals("3", four.system().toString());
    assertEquals(List.of("0-2"), cpus(four));
    assertTrue(four.decisions().toString().contains("CPU 3 is left to the system"));
    Topology three = new Machines.Builder().cpus(3, 3).cache(3, "8M", 3).memory(4).probe();
    assertEquals("", auto(three).system().toString());
  }

  // Field fault 32
  @Test
  void shouldNotHalveAReplicaForTheSystem() {
    PlacementPlan pairs = auto(Machines.sosoaM3());

    assertEquals("", pairs.system().toString());
    assertEquals(List.of("0-1", "2-3"), cpus(pairs));
    assertTrue(
        pairs.decisions().toString().contains("would lose half of its CPUs (--system-cpus)"));
    assertEquals("3", systemOf(Machines.sosoaM3(), 1).toString(), "as asked");
    Topology one = new Machines.Builder().cpus(6, 6).cache(3, "8M", 6).memory(4).probe();
    assertEquals("", plan(one, "3").system().toString());
    assertEquals("5", plan(one, "2").system().toString());
  }

  // Field fault 32: a hypervisor may give each hardware thread a last-level cache
  @Test
  void shouldJoinHardwareThreadsOfACoreWhateverTheirCaches() {
    Machines.Builder machine = new Machines.Builder().cpus(8, 8).cache(3, "8M", 1).memory(8);
    for (int cpu = 0; cpu < 8; cpu++) {
      machine.file(
          "sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list",
          cpu % 4 + "," + (cpu % 4 + 4));
      String first = cpu < 4 ? "0-3" : "4-7";
      machine.file("sys/devices/system/cpu/cpu" + cpu + "/cache/index2/shared_cpu_list", first);
    }

    PlacementPlan placementPlan = whole(machine.probe(), "auto");

    assertEquals(List.of("0-7"), cpus(placementPlan));
    assertTrue(
        placementPlan
            .decisions()
            .toString()
            .contains("caches are reported for each hardware thread"),
        placementPlan.decisions()::toString);
  }

  @Test
  void shouldTakeSystemCpuFromTheLargestReplica() {
    Topology uneven =
        new Machines.Builder()
            .cpus(8, 8)
            .cache(3, "8M", 4)
            .memory(4)
            .file("proc/self/status", "Cpus_allowed_list:\t0-5\n")
            .probe();

    assertEquals(List.of("0-2", "4-5"), cpus(auto(uneven)));
    assertEquals("3", auto(uneven).system().toString());
  }

  @Test
  void shouldLeaveAsManyCpusToTheSystemAsAsked() {
    Topology machine = Machines.sosoaM1();

    assertEquals("5,10-11", systemOf(machine, 3).toString());
    assertEquals("", systemOf(machine, 0).toString());
    assertEquals(10, systemOf(machine, 10).size());
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> systemOf(machine, 11));
    assertTrue(String.valueOf(refusal.getMessage()).contains("expected at most 10 CPUs"));
  }

  @Test
  void shouldTakeNoReplicasOnlyCpu() {
    PlacementPlan placementPlan = plan(Machines.sosoaM1(), "12");

    assertEquals("", placementPlan.system().toString());
    assertTrue(placementPlan.decisions().toString().contains("every replica has one only"));
  }

  @Test
  void shouldPinOnlyWhenEachLoopHasACpu() {
    Topology machine = Machines.sosoaM3();

    assertTrue(with(machine, "auto", new StageLayout.Fused(2)).pinned());
    assertTrue(with(machine, "auto", new StageLayout.Fused(1)).pinned());
    assertFalse(with(machine, "auto", new StageLayout.Pipelined(1, 1, 1)).pinned());
  }

  @Test
  void shouldPinToFirstThreadsOfCoresAndBigCoresFirst() {
    // given two cores of two threads each, the second one more powerful
    Topology machine =
        new Machines.Builder()
            .cpus(4, 4)
            .cache(3, "8M", 4)
            .memory(4)
            .file("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1")
            .file("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "0-1")
            .file("sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "2-3")
            .file("sys/devices/system/cpu/cpu3/topology/thread_siblings_list", "2-3")
            .file("sys/devices/cpu_core/cpus", "2-3")
            .file("sys/devices/cpu_atom/cpus", "0-1")
            .probe();

    // when
    ReplicaSpec spec =
        PlacementPlanner.plan(
                machine,
                PlacementSettings.AUTO.withLayout(new StageLayout.Fused(3)).withSystemCpus(0))
            .replicas()
            .getFirst();

    // then
    assertEquals(Map.of("fused-0", 2, "fused-1", 0, "fused-2", 3), spec.pins());
    assertEquals("1", spec.ancillary().toString());
  }

  @Test
  void shouldPinByGrain() {
    Topology machine = Machines.sosoaM1();
    ReplicaSpec group = grain(machine, Pinning.GROUP);
    ReplicaSpec none = grain(machine, Pinning.NONE);

    assertEquals(Map.of(), group.pins());
    assertEquals("0-5", group.confined().toString());
    assertEquals(new StageLayout.Fused(5), group.layout());
    assertEquals(Map.of(), none.pins());
    assertEquals("", none.confined().toString());
    assertEquals(null, none.memoryNode());
    assertEquals(6, none.processors());
  }

  @Test
  void shouldTakeMemoryFromTheOneNodeOfAReplica() {
    List<Integer> nodes =
        auto(Machines.sosoaM1()).replicas().stream().map(ReplicaSpec::memoryNode).toList();

    assertEquals(List.of(0, 1), nodes);
    assertEquals(null, plan(Machines.sosoaM1(), "1").replicas().getFirst().memoryNode());
    assertEquals(null, auto(Machines.sosoaM3()).replicas().getFirst().memoryNode());
  }

  @Test
  void shouldNotPinOnASingleCpu() {
    Topology one = new Machines.Builder().cpus(1, 1).cache(2, "1M", 1).memory(4).probe();

    assertFalse(auto(one).replicas().getFirst().pinned());
  }

  @Test
  void shouldSpinOnlyOnCpusThatALoopOwnsAlone() {
    Topology two = new Machines.Builder().cpus(2, 2).cache(3, "8M", 2).memory(4).probe();
    PlacementSettings spin =
        PlacementSettings.AUTO.withWaiting(IdleStrategies.all(IdleStrategies.IdleMode.SPIN));

    ReplicaSpec alone = PlacementPlanner.plan(two, spin).replicas().getFirst();
    assertEquals(Map.of("fused-0", 0), alone.pins());
    assertEquals("1", alone.ancillary().toString());
    for (PlacementSettings refused :
        List.of(
            spin.withLayout(new StageLayout.Fused(2)),
            spin.withLayout(new StageLayout.Pipelined(1, 1, 1)),
            spin.withPinning(Pinning.GROUP),
            spin.withPinning(Pinning.NONE),
            spin.withReplicas("2"))) {
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> PlacementPlanner.plan(two, refused));
      assertTrue(
          String.valueOf(refusal.getMessage()).startsWith("expected a separate CPU"),
          refusal.getMessage());
    }
  }

  @Test
  void shouldGiveHandlersThatSpinCpusOfTheirOwn() {
    Topology four = new Machines.Builder().cpus(4, 4).cache(3, "8M", 4).memory(4).probe();
    PlacementSettings settings =
        PlacementSettings.AUTO.withSystemCpus(0).withWaiting(IdleStrategies.parse("handlers=spin"));

    ReplicaSpec spec = PlacementPlanner.plan(four, settings).replicas().getFirst();
    assertEquals(Map.of("fused-0", 0, "fused-1", 1, "handlers-0", 2), spec.pins());
    assertEquals("3", spec.ancillary().toString());
    assertEquals("fused:2", spec.layout().toString());
    IdleStrategies two = IdleStrategies.parse("handlers=spin:2");
    assertEquals(
        Map.of("fused-0", 0, "handlers-0", 1, "handlers-1", 2),
        PlacementPlanner.plan(four, settings.withWaiting(two)).replicas().getFirst().pins());
    for (PlacementSettings refused :
        List.of(
            settings.withWaiting(IdleStrategies.parse("handlers=spin:3")),
            settings.withLayout(new StageLayout.Fused(3)),
            settings.withPinning(Pinning.GROUP),
            settings.withReplicas("2"),
            settings.withReplicas("0-3/0-3"))) {
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> PlacementPlanner.plan(four, refused));
      assertTrue(
          String.valueOf(refusal.getMessage()).matches("expected (a )?separate CPUs? .*"),
          refusal.getMessage());
    }
  }

  @Test
  void shouldSayThatMoreLoopsThanCpusArePinnedToNone() {
    PlacementPlan placementPlan =
        PlacementPlanner.plan(
            Machines.sosoaM3(),
            PlacementSettings.AUTO.withLayout(new StageLayout.Pipelined(1, 1, 1)));

    assertFalse(placementPlan.replicas().getFirst().pinned());
    assertTrue(
        placementPlan.decisions().toString().contains("3 threads on 2 CPUs are too many to pin"),
        placementPlan.decisions().toString());
  }

  @Test
  void shouldWaitByStageWhereStagesHaveLoopsOfTheirOwn() {
    IdleStrategies kernelSpins = IdleStrategies.parse("kernel=spin");
    PlacementSettings settings =
        PlacementSettings.AUTO.withReplicas("1").withWaiting(kernelSpins).withSystemCpus(0);
    Topology machine = Machines.sosoaM3();

    ReplicaSpec spec =
        PlacementPlanner.plan(machine, settings.withLayout(new StageLayout.Pipelined(1, 1, 1)))
            .replicas()
            .getFirst();

    assertEquals(kernelSpins, spec.waiting());
    assertEquals(IdleStrategies.PARK, auto(machine).replicas().getFirst().waiting());
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class, () -> PlacementPlanner.plan(machine, settings));
    assertTrue(String.valueOf(refusal.getMessage()).contains("one way of waiting"));
  }

  @Test
  void shouldKeepTotalsWhateverTheNumberOfReplicas() {
    for (int replicas : List.of(1, 2, 4, 8)) {
      PlacementPlan placementPlan = plan(Machines.sosoaM2(), Integer.toString(replicas));

      assertEquals(
          4 * GIGABYTE, placementPlan.replicas().stream().mapToLong(ReplicaSpec::heapBytes).sum());
      assertEquals(16, placementPlan.replicas().stream().mapToInt(ReplicaSpec::processors).sum());
    }
  }

  @Test
  void shouldKeepTheNumberOfEventLoopsWhateverTheNumberOfReplicas() {
    for (String policy : List.of("auto", "1", "2", "4", "8", "15", "1..4", "package", "numa")) {
      assertEquals(16, loops(plan(Machines.sosoaM2(), policy)), policy);
    }
    for (String policy : List.of("auto", "1", "2", "3", "4", "9", "interleaved", "interleaved:4")) {
      assertEquals(9, loops(plan(Machines.sosoaM1(), policy)), policy);
    }
    assertEquals(List.of(3, 2, 2, 2), loopsOfEach(plan(Machines.sosoaM1(), "4")));
    assertEquals(List.of(4, 4, 4, 4), loopsOfEach(plan(Machines.sosoaM2(), "4")));
    String decisions = plan(Machines.sosoaM1(), "1").decisions().toString();
    assertTrue(decisions.contains("event loops are 9 in all: the 9 of auto"), decisions);
  }

  @Test
  void shouldGiveEachReplicaOneEventLoopAtLeast() {
    assertEquals(12, loops(plan(Machines.sosoaM1(), "12")));
    assertEquals(
        9,
        loops(
            PlacementPlanner.plan(
                Machines.sosoaM1(), PlacementSettings.AUTO.withReplicas("9").withSystemCpus(2))));
    assertEquals(
        1,
        loops(
            PlacementPlanner.plan(
                Machines.sosoaM1(), PlacementSettings.AUTO.withReplicas("1").withSystemCpus(11))));
  }

  @Test
  void shouldPutNoSpinningLoopOnAnAncillaryCore() {
    PlacementPlan placementPlan =
        PlacementPlanner.plan(
            Machines.sosoaM1(),
            PlacementSettings.AUTO.withReplicas("4").withWaiting(IdleStrategies.parse("spin")));

    assertEquals(List.of(2, 2, 2, 1), loopsOfEach(placementPlan));
    assertTrue(placementPlan.replicas().stream().allMatch(ReplicaSpec::apart));
  }

  @Test
  void shouldKeepTheCpuTimeGrantedWhateverTheNumberOfReplicas() {
    for (int replicas : List.of(1, 2, 3)) {
      PlacementPlan placementPlan =
          PlacementPlanner.plan(
              new Machines.Builder()
                  .cpus(12, 6)
                  .cache(3, "6144K", 6)
                  .memory(16)
                  .file("proc/mounts", "cgroup /sys/fs/cgroup cgroup2 rw 0 0\n")
                  .file("proc/self/cgroup", "0::/\n")
                  .file("sys/fs/cgroup/cpu.max", "300000 100000\n")
                  .probe(),
              PlacementSettings.AUTO.withReplicas(Integer.toString(replicas)));

      assertEquals(3, loops(placementPlan));
      assertEquals(3, placementPlan.replicas().stream().mapToInt(ReplicaSpec::processors).sum());
    }
  }

  @Test
  void shouldRefuseReplicasWhoseLeastHeapsExceedMemory() {
    Topology small = new Machines.Builder().cpus(16, 4).cache(2, "4M", 2).memory(1).probe();

    assertEquals(8, plan(small, "8").replicas().size());
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> plan(small, "9"));
    assertTrue(String.valueOf(refusal.getMessage()).contains("found 1024 MB of memory"));
  }

  @Test
  void shouldPlanPlacesForTheMostAndCarryTheLeast() {
    PlacementPlan placementPlan = plan(Machines.sosoaM1(), "1..4");

    assertEquals(4, placementPlan.replicas().size());
    assertEquals(1, placementPlan.minReplicas());
    assertEquals(2, auto(Machines.sosoaM1()).minReplicas());
  }

  @Test
  void shouldPlanByNodeAndByPackage() {
    Topology machine =
        new Machines.Builder().cpus(8, 4).cache(2, "4M", 2).nodes(8).memory(16).probe();

    assertEquals(List.of("0-7"), cpus(whole(machine, "numa")));
    assertEquals(List.of("0-3", "4-7"), cpus(whole(machine, "package")));
    PlacementPlan noNodes = whole(Machines.sosoaM2(), "numa");
    assertEquals(List.of("0-15"), cpus(noNodes));
    assertTrue(noNodes.decisions().toString().contains("in no NUMA node known"));
  }

  @Test
  void shouldDealCpusInTurn() {
    assertEquals(List.of("0,2", "1,3"), cpus(whole(Machines.sosoaM3(), "interleaved")));
    assertEquals(
        List.of("0,2,4,6,8,10", "1,3,5,7,9,11"), cpus(whole(Machines.sosoaM1(), "interleaved")));
    assertEquals(
        List.of("0,3,6,9", "1,4,7,10", "2,5,8,11"),
        cpus(whole(Machines.sosoaM1(), "interleaved:3")));
  }

  @Test
  void shouldSpreadEveryReplicaOverCachesHoweverCpusAreNumbered() {
    // given a machine whose even CPUs share one cache and whose odd ones share the other
    Machines.Builder builder = new Machines.Builder().cpus(8, 8).cache(3, "8M", 8).memory(4);
    for (int cpu = 0; cpu < 8; cpu++) {
      builder.file(
          "sys/devices/system/cpu/cpu" + cpu + "/cache/index2/shared_cpu_list",
          cpu % 2 == 0 ? "0,2,4,6" : "1,3,5,7");
    }

    assertEquals(List.of("0-1,4-5", "2-3,6-7"), cpus(whole(builder.probe(), "interleaved")));
  }

  @Test
  void shouldGiveSeveralReplicasOnOneGroupOfTwoCpus() {
    Topology two = new Machines.Builder().cpus(2, 2).cache(3, "8M", 2).memory(4).probe();

    for (String policy : List.of("2", "interleaved", "0/1", "sosoa:2", "1..2")) {
      assertEquals(List.of("0", "1"), cpus(plan(two, policy)), policy);
    }
    assertEquals(List.of("0-1"), cpus(auto(two)));
  }

  @Test
  void shouldTakeListsAsTheyAre() {
    PlacementPlan placementPlan = plan(Machines.sosoaM1(), "2,4/0-1,11");

    assertEquals(List.of("2,4", "0-1,11"), cpus(placementPlan));
    assertEquals("", placementPlan.system().toString());
  }

  @Test
  void shouldTellEveryProblemOfLists() {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class, () -> plan(Machines.sosoaM3(), "0-1//1-2/3,9"));

    assertEquals(
        "expected CPU lists that are not empty and within the allowed CPUs 0-3, found list 2 empty;"
            + " 9 in list 4 not allowed",
        refusal.getMessage());
  }

  @Test
  void shouldLetListsShareCpusAndSaySo() {
    PlacementPlan placementPlan = plan(Machines.sosoaM3(), "1..0/0-1/1,3");

    assertEquals(List.of("0", "0-1", "1,3"), cpus(placementPlan));
    assertEquals(1, placementPlan.minReplicas());
    assertTrue(
        placementPlan
            .decisions()
            .contains("CPUs 0-1 are in several lists: replicas compete for them"),
        () -> placementPlan.decisions().toString());
    assertEquals(2, plan(Machines.sosoaM3(), "0/1").minReplicas());
  }

  @Test
  void shouldNotSpinOnCpusThatReplicasShare() {
    PlacementSettings settings =
        PlacementSettings.AUTO.withReplicas("0-3/0-3").withWaiting(IdleStrategies.parse("spin"));

    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> PlacementPlanner.plan(Machines.sosoaM3(), settings));
    assertTrue(String.valueOf(refusal.getMessage()).contains("0-3 in several lists"));
  }

  /** Table I of the paper: machine, replicas, Kernel and Invoker threads of each. */
  @ParameterizedTest
  @CsvSource({
    "M1,1,12", "M1,2,6", "M1,6,2", "M1,12,1", "M2,1,32", "M2,4,8", "M2,8,4", "M2,16,2", "M3,1,8",
    "M3,2,4", "M3,4,2"
  })
  void shouldDeployAsInTableOne(String name, int replicas, int threads) {
    Topology machine =
        switch (name) {
          case "M1" -> Machines.sosoaM1();
          case "M2" -> Machines.sosoaM2();
          default -> Machines.sosoaM3();
        };
    // one thread of a kind for each CPU on M1, two on the others, the paper's best
    String policy = "sosoa:" + replicas + (name.equals("M1") ? "" : ":" + threads);

    PlacementPlan placementPlan = plan(machine, policy);

    assertEquals(replicas, placementPlan.replicas().size());
    assertEquals(
        machine.allowed(),
        CpuSet.union(placementPlan.replicas().stream().map(ReplicaSpec::cpus).toList()));
    for (ReplicaSpec spec : placementPlan.replicas()) {
      assertEquals(new StageLayout.Pipelined(1, threads, threads), spec.layout());
    }
  }

  @Test
  void shouldRefuseLayoutBesideSosoa() {
    PlacementSettings both =
        PlacementSettings.AUTO.withReplicas("sosoa:2").withLayout(new StageLayout.Fused(1));

    assertThrows(
        IllegalArgumentException.class, () -> PlacementPlanner.plan(Machines.sosoaM1(), both));
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
    PlacementPlan placementPlan = auto(topology);

    List<CpuSet> sets = placementPlan.replicas().stream().map(ReplicaSpec::cpus).toList();
    assertEquals(topology.allowed(), CpuSet.union(sets).or(placementPlan.system()));
    assertEquals(
        topology.allowed().size(),
        placementPlan.system().size() + sets.stream().mapToInt(CpuSet::size).sum());
    boolean roomy =
        whole(topology, "auto").replicas().stream().anyMatch(spec -> spec.cpus().size() > 2);
    assertEquals(topology.allowed().size() >= 4 && roomy ? 1 : 0, placementPlan.system().size());
    for (ReplicaSpec spec : placementPlan.replicas()) {
      assertEquals(spec.cpus(), spec.critical().or(spec.ancillary()));
      assertTrue(spec.heapBytes() >= PlacementPlanner.MIN_HEAP_BYTES);
      assertEquals(spec.apart() ? spec.ancillary() : spec.cpus(), spec.confined());
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void shouldPlanNoReplicaForASingleCoreOfCapturedMachines(CapturedMachines.Machine machine) {
    Topology topology = machine.probe();
    PlacementPlan placementPlan = whole(topology, "auto");

    for (ReplicaSpec spec : placementPlan.replicas()) {
      boolean single = topology.cores().stream().anyMatch(core -> core.containsAll(spec.cpus()));
      assertTrue(!single || placementPlan.replicas().size() == 1, placementPlan::toString);
    }
  }

  private static PlacementPlan auto(Topology topology) {
    return PlacementPlanner.plan(topology, PlacementSettings.AUTO);
  }

  private static PlacementPlan plan(Topology topology, String replicas) {
    return PlacementPlanner.plan(topology, PlacementSettings.AUTO.withReplicas(replicas));
  }

  /** Without CPUs left to the system. */
  private static PlacementPlan whole(Topology topology, String replicas) {
    return PlacementPlanner.plan(
        topology, PlacementSettings.AUTO.withReplicas(replicas).withSystemCpus(0));
  }

  private static CpuSet systemOf(Topology topology, int systemCpus) {
    return PlacementPlanner.plan(topology, PlacementSettings.AUTO.withSystemCpus(systemCpus))
        .system();
  }

  private static ReplicaSpec grain(Topology topology, Pinning pinning) {
    return PlacementPlanner.plan(topology, PlacementSettings.AUTO.withPinning(pinning))
        .replicas()
        .getFirst();
  }

  private static ReplicaSpec with(Topology topology, String replicas, StageLayout loopLayout) {
    return PlacementPlanner.plan(
            topology, PlacementSettings.AUTO.withReplicas(replicas).withLayout(loopLayout))
        .replicas()
        .getFirst();
  }

  private static int loops(PlacementPlan placementPlan) {
    return placementPlan.replicas().stream().mapToInt(spec -> spec.layout().loops()).sum();
  }

  private static List<Integer> loopsOfEach(PlacementPlan placementPlan) {
    return placementPlan.replicas().stream().map(spec -> spec.layout().loops()).toList();
  }

  private static List<String> cpus(PlacementPlan placementPlan) {
    return placementPlan.replicas().stream().map(spec -> spec.cpus().toString()).toList();
  }
}
