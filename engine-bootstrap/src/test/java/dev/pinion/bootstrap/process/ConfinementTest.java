package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.bootstrap.placement.Pinning;
import dev.pinion.bootstrap.placement.PlacementPlan;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.topology.CapturedMachines;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Machines;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.NumaNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command lines of planned replicas, without starting them. */
class ConfinementTest {
  private static final String PREFERRED = "--preferred=";

  private final List<String> warnings = new ArrayList<>();
  private final Confinement.Probe fine = words -> Optional.empty();

  @Test
  void shouldConfineToAncillaryCpusAndSizeForAll() throws IOException {
    assertEquals(
        List.of(
            "numactl --preferred=0 taskset -c 5 java -Xmx2048m -XX:ActiveProcessorCount=6"
                + " -XX:+UseG1GC -XX:ParallelGCThreads=6 -XX:-UseDynamicNumberOfGCThreads -XX:ConcGCThreads=1",
            "numactl --preferred=1 taskset -c 10 java -Xmx2048m -XX:ActiveProcessorCount=5"
                + " -XX:+UseG1GC -XX:ParallelGCThreads=5 -XX:-UseDynamicNumberOfGCThreads -XX:ConcGCThreads=1"),
        lines(plan(Machines.sosoaM1(), PlacementSettings.AUTO)));
  }

  @Test
  void shouldConfineToAllCpusWhereNoneIsApart() throws IOException {
    assertEquals(
        List.of(
            "taskset -c 0-1 java -Xmx512m -XX:ActiveProcessorCount=2 -XX:+UseG1GC"
                + " -XX:ParallelGCThreads=2 -XX:ConcGCThreads=1",
            "taskset -c 2-3 java -Xmx512m -XX:ActiveProcessorCount=2 -XX:+UseG1GC"
                + " -XX:ParallelGCThreads=2 -XX:ConcGCThreads=1"),
        lines(plan(Machines.sosoaM3(), PlacementSettings.AUTO)));
  }

  @Test
  void shouldConfineByGrain() throws IOException {
    PlacementSettings group = PlacementSettings.AUTO.withPinning(Pinning.GROUP);
    PlacementSettings none = PlacementSettings.AUTO.withPinning(Pinning.NONE);

    assertTrue(lines(plan(Machines.sosoaM1(), group)).getFirst().contains("taskset -c 0-5 java"));
    assertTrue(lines(plan(Machines.sosoaM1(), none)).getFirst().startsWith("java "));
  }

  @Test
  void shouldLeaveMemoryAloneAcrossNodes() throws IOException {
    String line =
        lines(plan(Machines.sosoaM1(), PlacementSettings.AUTO.withReplicas("1"))).getFirst();

    assertTrue(line.startsWith("taskset "), line);
  }

  @Test
  void shouldRefuseToGoWithoutACommandUnlessAskedTo() throws IOException {
    ReplicaSpec spec = plan(Machines.sosoaM1(), PlacementSettings.AUTO).replicas().getFirst();

    IOException refusal =
        assertThrows(
            IOException.class,
            () -> new Confinement("taskset"::equals, fine, false, warnings::add).prefix(spec));
    assertTrue(String.valueOf(refusal.getMessage()).contains("install the package numactl"));
    assertEquals(List.of(), warnings);
    assertEquals(
        List.of("taskset", "-c", "5"),
        new Confinement("taskset"::equals, fine, true, warnings::add).prefix(spec));
    assertEquals(
        List.of(), new Confinement(command -> false, fine, true, warnings::add).prefix(spec));
    assertEquals(3, warnings.size());
    assertTrue(warnings.getLast().contains("not confined to its CPUs"), warnings.getLast());
  }

  @Test
  void shouldNameTheMaskThatTheSystemRefuses() throws IOException {
    ReplicaSpec spec = plan(Machines.sosoaM1(), PlacementSettings.AUTO).replicas().getFirst();
    Confinement.Probe offline =
        words -> words.contains("taskset") ? Optional.of("Invalid argument") : Optional.empty();

    IOException refusal =
        assertThrows(
            IOException.class,
            () ->
                new Confinement(command -> true, offline, false, warnings::add).triedPrefix(spec));

    String message = String.valueOf(refusal.getMessage());
    assertTrue(
        message.contains("confine replica 0 to CPUs 5 (taskset -c 5)")
            && message.contains("Invalid argument")
            && message.contains("bring these CPUs online")
            && message.contains("--best-effort"),
        message);
    assertEquals(List.of(), warnings);
    assertEquals(
        List.of("numactl", "--preferred=0"),
        new Confinement(command -> true, offline, true, warnings::add).triedPrefix(spec));
    assertEquals(1, warnings.size());
    assertTrue(warnings.getFirst().contains("runs without: it is not confined"));
    assertEquals(all().prefix(spec), all().triedPrefix(spec));
  }

  @Test
  void shouldNameTheNodeThatTheSystemRefuses() throws IOException {
    ReplicaSpec spec = plan(Machines.sosoaM1(), PlacementSettings.AUTO).replicas().getLast();
    Confinement.Probe refused =
        words -> words.contains("numactl") ? Optional.of("out of range") : Optional.empty();

    assertEquals(
        List.of("taskset", "-c", "10"),
        new Confinement(command -> true, refused, true, warnings::add).triedPrefix(spec));
    assertTrue(warnings.getFirst().contains("from NUMA node 1 (numactl --preferred=1)"));
  }

  /** A CPU that is online on no machine. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldTellWhatARealCommandComplainsAbout() throws IOException {
    assumeTrue(onPath("taskset"), "needs the command taskset");
    CommandProbe trial = new CommandProbe();
    String cpu = Integer.toString(allowed().first());

    assertEquals(Optional.empty(), trial.complaint(List.of("taskset", "-c", cpu, "true")));
    String complaint =
        trial.complaint(List.of("taskset", "-c", "1023", "true")).orElse("no complaint");
    assertTrue(complaint.contains("taskset: "), complaint);
    assertEquals(Optional.of("status 1"), trial.complaint(List.of("false")));
  }

  /** Runs the prefix of a replica; a machine of one node leaves it no other choice. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldPutARealProcessWhereThePrefixSays() throws Exception {
    assumeTrue(onPath("numactl") && onPath("taskset"), "needs the commands numactl and taskset");
    ReplicaSpec ofNodes = plan(Machines.sosoaM1(), PlacementSettings.AUTO).replicas().getFirst();
    List<String> words = new ArrayList<>(all().prefix(ofNodes));
    assertEquals(List.of("numactl", "--preferred=0", "taskset", "-c", "5"), words);
    String cpu = Integer.toString(allowed().first());
    words.set(4, cpu);
    words.addAll(List.of("cat", "/proc/self/status", "/proc/self/numa_maps"));

    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    List<String> lines = process.inputReader().lines().toList();

    assertEquals(0, process.waitFor(), lines::toString);
    assertTrue(lines.contains("Cpus_allowed_list:\t" + cpu), lines::toString);
    assertTrue(
        lines.stream().anyMatch(line -> line.matches("[0-9a-f]+ prefer[a-z=]*:0 .*")),
        lines::toString);
  }

  private static CpuSet allowed() throws IOException {
    String field = "Cpus_allowed_list:";
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith(field))
        .map(line -> CpuSet.parse(line.substring(field.length()).strip()))
        .findFirst()
        .orElseThrow();
  }

  private static boolean onPath(String command) {
    return Pattern.compile(":")
        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }

  static List<CapturedMachines.Machine> severalNodes() throws IOException {
    return CapturedMachines.all().stream()
        .filter(machine -> machine.probe().nodes().size() > 1)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("severalNodes")
  void shouldKeepReplicasOfCapturedMachinesNearTheirMemory(CapturedMachines.Machine machine)
      throws IOException {
    Topology topology = machine.probe();

    for (ReplicaSpec spec : plan(topology, PlacementSettings.AUTO).replicas()) {
      List<String> prefix = all().prefix(spec);
      List<NumaNode> around =
          topology.nodes().stream().filter(node -> node.cpus().containsAll(spec.cpus())).toList();
      int taskset = prefix.indexOf("taskset");
      CpuSet confined = CpuSet.parse(prefix.get(taskset + 2));
      assertTrue(spec.cpus().containsAll(confined));
      assertEquals(spec.cpus().minus(spec.critical()).isEmpty(), confined.equals(spec.cpus()));
      if (around.size() == 1 && topology.memoryNodes().contains(around.getFirst().id())) {
        assertEquals(
            List.of("numactl", "--preferred=" + around.getFirst().id()), prefix.subList(0, 2));
      } else {
        assertFalse(prefix.contains("numactl"), prefix.toString());
      }
    }
  }

  /** By name, the nodes whose memory these machines allow a process. */
  private static final Map<String, String> MEMORY_NODES =
      Map.of(
          "16amd64-4n4c-cgroup-distance-merge", "2-3",
          "16amd64-8n2c-cpusets", "1-4",
          "4fake-4gr1nu1pu", "0,2",
          "fakeheterocpunuma", "0-3",
          "offline-cpu0-node0", "1");

  static List<CapturedMachines.Machine> limitedMemory() throws IOException {
    return CapturedMachines.all().stream()
        .filter(machine -> MEMORY_NODES.containsKey(machine.name()))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("limitedMemory")
  void shouldPreferNoNodeWhoseMemoryMayNotBeTaken(CapturedMachines.Machine machine)
      throws IOException {
    CpuSet allowed = CpuSet.parse(MEMORY_NODES.getOrDefault(machine.name(), ""));
    Topology topology = machine.probe();

    for (String policy : List.of("auto", "numa", "package", "2")) {
      PlacementPlan placementPlan = plan(topology, PlacementSettings.AUTO.withReplicas(policy));
      for (ReplicaSpec spec : placementPlan.replicas()) {
        for (String word : all().prefix(spec)) {
          if (word.startsWith(PREFERRED)) {
            int node = Integer.parseInt(word.substring(PREFERRED.length()));
            assertTrue(allowed.contains(node), policy + ": node " + node + " not in " + allowed);
          }
        }
      }
    }
  }

  @Test
  void shouldSayWhichReplicaHasNoMemoryOfItsNode() throws IOException {
    Topology topology =
        new Machines.Builder()
            .cpus(12, 6)
            .cache(3, "6144K", 6)
            .nodes(6)
            .memory(16)
            .file("proc/self/status", "Cpus_allowed_list:\t0-11\nMems_allowed_list:\t0\n")
            .probe();

    PlacementPlan placementPlan = plan(topology, PlacementSettings.AUTO);

    assertTrue(lines(placementPlan).getFirst().startsWith("numactl --preferred=0 "));
    assertTrue(lines(placementPlan).getLast().startsWith("taskset "));
    String decisions = placementPlan.decisions().toString();
    assertTrue(decisions.contains("replica 1 lies in NUMA node 1, whose memory"), decisions);
  }

  private Confinement all() {
    return new Confinement(command -> true, fine, false, warnings::add);
  }

  private static PlacementPlan plan(Topology topology, PlacementSettings settings) {
    return PlacementPlanner.plan(topology, settings);
  }

  /** Command lines up to the options that do not depend on the machine. */
  private List<String> lines(PlacementPlan placementPlan) throws IOException {
    List<String> lines = new ArrayList<>();
    for (ReplicaSpec spec : placementPlan.replicas()) {
      ChildCommandLine command =
          new ChildCommandLine(
              all().prefix(spec),
              Path.of("java"),
              "classes",
              "Main",
              new ChildCommandLine.Size(
                  spec.heapBytes(), spec.processors(), spec.gcThreads(), spec.ancillary().size()),
              Path.of("crash"),
              List.of());
      String line = String.join(" ", command.words());
      assertTrue(line.endsWith(" -cp classes Main"), line);
      lines.add(line.substring(0, line.indexOf(" -XX:+ExitOnOutOfMemoryError")));
    }
    return lines;
  }
}
