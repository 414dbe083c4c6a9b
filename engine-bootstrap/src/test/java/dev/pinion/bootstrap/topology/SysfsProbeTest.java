package dev.pinion.bootstrap.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.topology.Topology.AffinityGroup;
import dev.pinion.bootstrap.topology.Topology.CoreKind;
import dev.pinion.bootstrap.topology.Topology.CpuPackage;
import dev.pinion.bootstrap.topology.Topology.GroupSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SysfsProbeTest {
  @Test
  void shouldFindTwoGroupsOnFirstMachineOfThePaper() {
    assertEquals(List.of("0-5", "6-11"), groups(Machines.sosoaM1()));
  }

  @Test
  void shouldFindEightGroupsOnSecondMachineOfThePaper() {
    assertEquals(
        List.of("0-1", "2-3", "4-5", "6-7", "8-9", "10-11", "12-13", "14-15"),
        groups(Machines.sosoaM2()));
  }

  @Test
  void shouldFindTwoGroupsOnThirdMachineOfThePaper() {
    assertEquals(List.of("0-1", "2-3"), groups(Machines.sosoaM3()));
  }

  @Test
  void shouldCutGroupsToTheMaskOfTheProcess() {
    Topology topology = machine().file("proc/self/status", "Cpus_allowed_list:\t1,6-7\n").probe();

    assertEquals(List.of("0-5", "6-11"), groups(topology));
    assertEquals(
        List.of("1", "6-7"),
        topology.allowedGroups().stream().map(group -> group.cpus().toString()).toList());
  }

  // Field fault 32: lxcfs renumbers the CPUs of a container, in /sys only
  @Test
  void shouldTakeTheKernelsMaskWhereSysHasOtherNumbers() {
    Topology one =
        new Machines.Builder()
            .cpus(32, 16)
            .cache(3, "32M", 16)
            .nodes(16)
            .file("sys/devices/system/cpu/online", "0\n")
            .file("proc/self/status", "Cpus_allowed_list:\t24\n")
            .probe();
    Topology four =
        new Machines.Builder()
            .cpus(8, 8)
            .cache(3, "8M", 8)
            .file("sys/devices/system/cpu/online", "0-3\n")
            .file("proc/self/status", "Cpus_allowed_list:\t2-5\n")
            .file("proc/self/cgroup", "0::/\n")
            .file("proc/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n")
            .file("sys/fs/cgroup/cpuset.cpus.effective", "2-5\n")
            .probe();

    assertEquals("24", one.allowed().toString());
    assertEquals("24", one.allowedGroups().getFirst().cpus().toString());
    assertTrue(one.offline().isEmpty());
    assertNoted(one, "/sys lists CPUs 0 as online, the kernel's mask of this process has 24");
    assertEquals("2-5", four.allowed().toString());
    assertNoted(four, "renumbered there");
  }

  // Field fault 32: masks may contain CPUs that are offline or have never existed
  @Test
  void shouldTakeNoCpuOfTheMaskThatIsOffline() {
    Topology topology =
        new Machines.Builder()
            .cpus(8, 8)
            .cache(3, "8M", 8)
            .file("sys/devices/system/cpu/online", "0-3\n")
            .file("proc/self/status", "Cpus_allowed_list:\t2-63\n")
            .probe();

    assertEquals("2-3", topology.allowed().toString());
    assertEquals("4-7", topology.offline().toString());
  }

  @Test
  void shouldReadTheMaskWhereThereIsNoListOfAllowedCpus() {
    for (String status :
        List.of(
            "Cpus_allowed:\t0000000f,000000c0\n",
            "Cpus_allowed:\tf000000c0\n",
            "Cpus_allowed:\t000000c0\nCpus_allowed_list:\t6 to 7\n",
            "Cpus_allowed:\t000000c0\nCpus_allowed_list:\t6-99999999\n")) {
      Topology topology = machine().file("proc/self/status", status).probe();

      assertEquals("6-7", topology.allowed().toString(), status);
      assertNoted(topology, "the mask beside it is taken");
    }
  }

  @Test
  void shouldTakeAllCpusWhereNothingTellsTheAllowedOnesAndSaySo() {
    for (String status : List.of("Name:\tx\n", "Cpus_allowed_list:\tx\nCpus_allowed:\ty\n")) {
      Topology topology = machine().file("proc/self/status", status).probe();

      assertEquals("0-11", topology.allowed().toString(), status);
      assertNoted(topology, "all are taken as allowed");
    }
  }

  @Test
  void shouldPassOverCpusetThatCannotBeRead() {
    Topology topology =
        machine()
            .file("proc/mounts", "cgroup /sys/fs/cgroup cgroup2 rw 0 0\n")
            .file("proc/self/cgroup", "0::/box\n")
            .file("sys/fs/cgroup/box/cpuset.cpus.effective", "some\n")
            .file("sys/fs/cgroup/cpuset.cpus.effective", "4-7\n")
            .probe();

    assertEquals("4-7", topology.allowed().toString());
    assertNoted(topology, "/sys/fs/cgroup/box/cpuset.cpus.effective cannot be read");
  }

  @Test
  void shouldReadCpusetOfUnifiedControlGroup() {
    Topology topology =
        machine()
            .file("proc/mounts", "cgroup /sys/fs/cgroup cgroup2 rw 0 0\n")
            .file("proc/self/cgroup", "0::/box\n")
            .file("sys/fs/cgroup/box/cpuset.cpus.effective", "2-3\n")
            .probe();

    assertEquals("2-3", topology.allowed().toString());
  }

  @Test
  void shouldReadCpusetOfFirstVersionFromNearestFolderAbove() {
    Topology topology =
        machine()
            .file("proc/mounts", "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\n")
            .file("proc/self/cgroup", "3:cpuset:/not/visible/here\n")
            .file("sys/fs/cgroup/cpuset/cpuset.cpus", "0-7\n")
            .probe();

    assertEquals("0-7", topology.allowed().toString());
  }

  @Test
  void shouldTellNodesWhoseMemoryMayBeTaken() {
    Machines.Builder nodes = machine().nodes(3);

    assertEquals("0-3", nodes.probe().memoryNodes().toString());
    nodes.file("proc/self/status", "Cpus_allowed_list:\t0-11\nMems_allowed_list:\t0-2\n");
    assertEquals("0-2", nodes.probe().memoryNodes().toString());
    nodes.file("sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:  0 kB\n");
    assertEquals("1-2", nodes.probe().memoryNodes().toString());
    nodes
        .file("proc/mounts", "cgroup /sys/fs/cgroup cgroup2 rw 0 0\n")
        .file("proc/self/cgroup", "0::/\n")
        .file("sys/fs/cgroup/cpuset.mems.effective", "2-3\n");
    assertEquals("2", nodes.probe().memoryNodes().toString());
  }

  @Test
  void shouldTakeLowestMemoryLimitOnTheWayToTheRoot() {
    Topology topology =
        machine()
            .file("proc/mounts", "cgroup /sys/fs/cgroup cgroup2 rw 0 0\n")
            .file("proc/self/cgroup", "0::/outer/inner\n")
            .file("sys/fs/cgroup/outer/memory.max", "1073741824\n")
            .file("sys/fs/cgroup/outer/inner/memory.max", "max\n")
            .probe();

    assertEquals(16L << 30, topology.memory().totalBytes());
    assertEquals(1L << 30, topology.memory().allowedBytes());
  }

  @Test
  void shouldReadCpuQuotaOfBothVersions() {
    Topology unified =
        machine()
            .file("proc/mounts", "cgroup /sys/fs/cgroup cgroup2 rw 0 0\n")
            .file("proc/self/cgroup", "0::/\n")
            .file("sys/fs/cgroup/cpu.max", "150000 100000\n")
            .probe();
    Topology first =
        machine()
            .file("proc/mounts", "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu,cpuacct 0 0\n")
            .file("proc/self/cgroup", "4:cpu,cpuacct:/\n")
            .file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
            .file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
            .probe();

    assertEquals(1.5, unified.cpuQuota());
    assertEquals(null, first.cpuQuota());
  }

  @Test
  void shouldFallBackToPackagesAndSaySo() {
    Topology topology = new Machines.Builder().cpus(4, 2).probe();

    assertEquals(List.of("0-1", "2-3"), groups(topology));
    assertEquals(GroupSource.PACKAGE, topology.groupsFrom());
    assertTrue(topology.notes().toString().contains("no cache data"), topology.notes().toString());
  }

  @Test
  void shouldFallBackToOneGroupAndSaySo() {
    Topology topology =
        SysfsProbe.probe(FileTree.of(Map.of("sys/devices/system/cpu/online", "0-3")));

    assertEquals(List.of("0-3"), groups(topology));
    assertTrue(
        topology.notes().toString().contains("neither cache nor package data"),
        topology.notes().toString());
  }

  @Test
  void shouldMakePartitionOfContradictoryCaches() {
    Topology topology =
        new Machines.Builder()
            .cpus(4, 4)
            .cache(3, "8M", 4)
            .file("sys/devices/system/cpu/cpu3/cache/index2/shared_cpu_list", "2-3")
            .probe();

    assertEquals(List.of("0-2", "3"), groups(topology));
    assertTrue(topology.notes().toString().contains("contradict"), topology.notes().toString());
  }

  @Test
  void shouldKnowCachesByTheirCpusAlone() {
    Topology topology =
        machine()
            .file("sys/devices/system/cpu/cpu0/cache/index2/size", "")
            .file("sys/devices/system/cpu/cpu7/cache/index2/size", "unknown")
            .file("sys/devices/system/cpu/cpu8/cache/index2/level", "2")
            .probe();

    assertEquals(List.of("0-5", "6-11"), groups(topology));
    for (AffinityGroup group : topology.groups()) {
      assertEquals(6144L << 10, group.sizeBytes());
      assertEquals(3, group.level());
    }
    assertEquals(3, topology.caches().stream().filter(each -> each.level() > 1).count());
    assertNoted(topology, "about the size of a cache");
    assertNoted(topology, "contradict each other about level");
  }

  @Test
  void shouldPassOverCachesWithoutLevelAndSaySo() {
    Topology topology =
        machine().file("sys/devices/system/cpu/cpu3/cache/index0/level", "").probe();

    assertEquals(List.of("0-5", "6-11"), groups(topology));
    assertNoted(topology, "no level or no type");
  }

  @Test
  void shouldTellPackagesByTheirIdsWhereSiblingsAreNotNamed() {
    Map<String, String> files = new HashMap<>();
    files.put("sys/devices/system/cpu/online", "0-5\n");
    for (int cpu = 0; cpu < 6; cpu++) {
      String folder = "sys/devices/system/cpu/cpu" + cpu + "/topology/";
      files.put(folder + "physical_package_id", Integer.toString(cpu % 2));
    }

    Topology topology = SysfsProbe.probe(FileTree.of(files));

    assertEquals(
        List.of(new CpuPackage(0, CpuSet.of(0, 2, 4)), new CpuPackage(1, CpuSet.of(1, 3, 5))),
        topology.packages());
    assertEquals(List.of("0,2,4", "1,3,5"), groups(topology));
    assertNoted(topology, "those of one package id are one");
  }

  @Test
  void shouldNoteListsThatCannotBeRead() {
    Topology topology =
        machine()
            .file("sys/devices/system/cpu/online", "all of them")
            .file("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0;1")
            .probe();

    assertEquals("0-11", topology.online().toString());
    assertNoted(topology, "/sys/devices/system/cpu/online names CPUs in a way");
    assertNoted(topology, "nothing lists the CPUs online");
    assertNoted(topology, "each of these is a core");
  }

  @Test
  void shouldRefuseTreeWithoutCpus() {
    IllegalStateException refusal =
        assertThrows(
            IllegalStateException.class, () -> SysfsProbe.probe(FileTree.of(Map.of("a", "b"))));

    assertTrue(String.valueOf(refusal.getMessage()).contains("expected CPUs"));
  }

  @Test
  void shouldReadTreeOnDisk(@TempDir Path root) throws IOException {
    // given
    Path cpu = Files.createDirectories(root.resolve("sys/devices/system/cpu/cpu0/topology"));
    Files.writeString(root.resolve("sys/devices/system/cpu/online"), "0\n");
    Files.writeString(cpu.resolve("core_siblings_list"), "0\n");
    Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(root.resolve("proc/self/status"), "Cpus_allowed_list:\t0\n");

    // when
    Topology topology =
        SysfsProbe.probe(new DirectoryTree(root.resolve("sys"), root.resolve("proc")));

    // then
    assertEquals("0", topology.online().toString());
    assertEquals(1, topology.packages().size());
  }

  @Test
  void shouldReadFilesLongerThanOneReadAndSortNames(@TempDir Path root) throws IOException {
    String text = "some line\n".repeat(10_000) + "end";
    Files.createDirectories(root.resolve("sys"));
    Files.writeString(root.resolve("sys/b"), " " + text + "\n\0");
    Files.writeString(root.resolve("sys/a"), "");
    DirectoryTree tree = new DirectoryTree(root.resolve("sys"), root.resolve("proc"));

    assertEquals(text, tree.read("sys/b"));
    assertEquals("", tree.read("sys/a"));
    assertEquals(List.of("a", "b"), tree.names("sys"));
    assertEquals(null, tree.read("sys"), "a folder");
    assertEquals(List.of(), tree.names("sys/c"));
  }

  @Test
  void shouldReadSizesAsTheKernelWritesThem() {
    SysfsCpuFiles files =
        new SysfsCpuFiles(
            FileTree.of(
                Map.of(
                    "k",
                    "512K",
                    "m",
                    "8M\n",
                    "g",
                    "1G",
                    "plain",
                    "64",
                    "unit",
                    "K",
                    "minus",
                    "-1K",
                    "word",
                    "1x",
                    "empty",
                    "",
                    "long",
                    "9999999999999999999K")),
            new ArrayList<>());

    assertEquals(512L << 10, files.size("k"));
    assertEquals(8L << 20, files.size("m"));
    assertEquals(1L << 30, files.size("g"));
    assertEquals(64, files.size("plain"));
    for (String wrong : List.of("unit", "minus", "word", "empty", "long", "missing")) {
      assertEquals(null, files.size(wrong), wrong);
    }
  }

  @Test
  void shouldTakeOneGroupWhereNothingIsKnown() {
    Topology topology = MachineProbe.withoutDetail(3, "Plan 9");

    assertEquals(List.of("0-2"), groups(topology));
    assertTrue(topology.notes().getFirst().contains("Plan 9"));
  }

  @Test
  void shouldProbeThisMachine() {
    Topology topology = MachineProbe.probe();

    assertTrue(topology.allowed().size() >= 1);
    assertTrue(topology.online().containsAll(topology.allowed()));
  }

  @Test
  void shouldTellKindsOfCoresByTheirLists() {
    Topology topology =
        machine()
            .file("sys/devices/cpu_atom/cpus", "8-11\n")
            .file("sys/devices/cpu_core/cpus", "0-7\n")
            .probe();

    assertEquals(
        List.of(
            new CoreKind("cpu_core", CpuSet.parse("0-7")),
            new CoreKind("cpu_atom", CpuSet.parse("8-11"))),
        topology.coreKinds());
  }

  @Test
  void shouldTellKindsOfCoresByTheirCapacities() {
    Machines.Builder builder = machine();
    for (int cpu = 0; cpu < 12; cpu++) {
      // capacities differ a little within a kind, too
      int capacity = cpu < 4 ? 718 + cpu : 1_024 - cpu;
      builder.file(
          "sys/devices/system/cpu/cpu" + cpu + "/cpu_capacity", Integer.toString(capacity));
    }

    assertEquals(
        List.of(
            new CoreKind("capacity 1020", CpuSet.parse("4-11")),
            new CoreKind("capacity 721", CpuSet.parse("0-3"))),
        builder.probe().coreKinds());
  }

  @Test
  void shouldTellNoKindsWhereAllCoresAreAlike() {
    Topology alike = machine().file("sys/devices/cpu_core/cpus", "0-11").probe();

    assertEquals(List.of(), alike.coreKinds());
    assertEquals(List.of(), machine().probe().coreKinds());
  }

  @Test
  void shouldReadFilesInProportionToCpus() {
    long small = reads(48);
    long large = reads(384);

    assertTrue(large <= 8 * small, small + " files of 48 CPUs, " + large + " of 384");
    assertTrue(large <= 384 * 17, "files of 384 CPUs: " + large);
  }

  /** Opening a missing file costs many times as much as an existing one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldAskForTheNamesThatTheKernelHas(boolean newNames) {
    UnaryOperator<String> named =
        path ->
            path.replace("core_cpus", newNames ? "thread_siblings" : "core_cpus")
                .replace("package_cpus", newNames ? "core_siblings" : "package_cpus");

    assertEquals(misses(48, named), misses(384, named));
  }

  private static long reads(int cpus) {
    AtomicLong reads = new AtomicLong();
    counted(cpus, UnaryOperator.identity(), found -> reads.incrementAndGet());
    return reads.get();
  }

  /** Number of attempts to open missing files, each of which costs many times an existing one. */
  private static long misses(int cpus, UnaryOperator<String> named) {
    AtomicLong misses = new AtomicLong();
    counted(
        cpus,
        named,
        found -> {
          if (found == null) {
            misses.incrementAndGet();
          }
        });
    return misses.get();
  }

  /** Files and folders read of a machine of two packages with several caches each. */
  private static void counted(
      int cpus, UnaryOperator<String> named, Consumer<@Nullable Object> read) {
    FileTree files =
        new Machines.Builder()
            .cpus(cpus, cpus / 2)
            .cache(3, "32768K", 8)
            .nodes(cpus / 2)
            .memory(64)
            .tree();
    SysfsProbe.probe(
        new FileTree() {
          @Override
          public @Nullable String read(String path) {
            String text = files.read(named.apply(path));
            read.accept(text);
            return text;
          }

          @Override
          public List<String> names(String folder) {
            List<String> names = files.names(folder);
            read.accept(names);
            return names;
          }
        });
  }

  private static Machines.Builder machine() {
    return new Machines.Builder().cpus(12, 6).cache(3, "6144K", 6).memory(16);
  }

  private static void assertNoted(Topology topology, String text) {
    assertTrue(topology.notes().toString().contains(text), topology.notes().toString());
  }

  private static List<String> groups(Topology topology) {
    return topology.groups().stream().map(AffinityGroup::cpus).map(CpuSet::toString).toList();
  }
}
