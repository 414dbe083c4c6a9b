package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.placement.Pinning;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.CollectorThreads;
import dev.pinion.bootstrap.process.Confinement;
import dev.pinion.bootstrap.topology.FileTree;
import dev.pinion.bootstrap.topology.Machines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

class ThreadPlacementTest {
  private final ReplicaSpec spec =
      PlacementPlanner.plan(Machines.sosoaM1(), PlacementSettings.AUTO).replicas().getFirst();
  private final Map<String, String> files = new HashMap<>();
  private final List<String> complaints = new ArrayList<>();
  private final List<List<String>> commands = new ArrayList<>();
  private Confinement.Probe taskset = words -> Optional.empty();

  @Test
  void shouldSayNothingWhileEveryThreadIsWhereThePlanSays() {
    thread(1, "main", spec.confined().toString());
    spec.pins().forEach((name, cpu) -> thread(100 + cpu, name, cpu.toString()));

    placement(pid -> true).place(spec, 7);

    assertEquals(List.of(), complaints);
  }

  @Test
  void shouldEndItsThreadWhenItIsKnownWhereTheReplicaRuns() throws Exception {
    thread(1, "main", spec.confined().toString());
    thread(2, "fused-0", "11");

    placement(pid -> true).start(spec, 7).join();

    assertEquals(1, complaints.size());
  }

  @Test
  void shouldNameAThreadThatIsElsewhere() {
    thread(1, "main", spec.confined().toString());
    thread(2, "fused-0", "11");

    placement(pid -> true).place(spec, 7);

    assertEquals(1, complaints.size());
    String complaint = complaints.getFirst();
    assertTrue(complaint.contains("fused-0 on 11 instead of 0"), complaint);
    assertTrue(complaint.contains("--best-effort"), complaint);
  }

  @Test
  void shouldComplainWhereNoThreadCanBeRead() {
    placement(pid -> true).place(spec, 7);

    assertEquals(1, complaints.size());
    String complaint = complaints.getFirst();
    assertTrue(complaint.contains("found no thread whose mask can be read"), complaint);
    assertTrue(complaint.contains("/proc/7/task"), complaint);
  }

  @Test
  void shouldSayNothingOfAProcessThatEndedOrThatIsNotConfined() {
    ReplicaSpec free =
        PlacementPlanner.plan(Machines.sosoaM1(), PlacementSettings.AUTO.withPinning(Pinning.NONE))
            .replicas()
            .getFirst();

    placement(pid -> false).place(spec, 7);
    placement(pid -> true).place(free, 7);

    assertEquals(List.of(), complaints);
  }

  @Test
  void shouldLetCollectorThreadsRunWhereEventLoopsStandStill() {
    thread(1, "main", "5");
    thread(2, "GC Thread#0", "5");
    thread(3, "G1 Conc#0", "5");
    taskset =
        words -> {
          thread(Integer.parseInt(words.getLast()), "GC Thread#0", words.get(3));
          return Optional.empty();
        };

    placement(pid -> true).place(spec, 7);

    assertEquals(List.of(List.of("taskset", "-p", "-c", "0-5", "2")), commands);
    assertEquals(List.of(), complaints);
  }

  @Test
  void shouldSayWhyCollectorThreadsStayWhereTheyAre() {
    thread(1, "main", "5");
    thread(2, "GC Thread#0", "5");
    taskset = words -> Optional.of("failed to set pid 2's affinity: Operation not permitted");

    placement(pid -> true).place(spec, 7);

    assertEquals(2, complaints.size());
    assertTrue(
        complaints
            .getFirst()
            .contains("GC Thread#0 (taskset -p -c 0-5 2), found: failed to set pid 2's affinity"),
        complaints::getFirst);
    assertTrue(
        complaints.getLast().contains("GC Thread#0 on 5 instead of 0-5"), complaints::getLast);
  }

  @Test
  void shouldMoveNothingWhereAllThreadsShareTheCpus() {
    ReplicaSpec shared =
        PlacementPlanner.plan(Machines.sosoaM1(), PlacementSettings.AUTO.withPinning(Pinning.GROUP))
            .replicas()
            .getFirst();
    thread(2, "GC Thread#0", "0-5");

    placement(pid -> true).place(shared, 7);

    assertEquals(List.of(), commands);
    assertEquals(List.of(), complaints);
  }

  private ThreadPlacement placement(LongPredicate alive) {
    Confinement.Probe recorded =
        words -> {
          commands.add(words);
          return taskset.complaint(words);
        };
    return new ThreadPlacement(
        FileTree.of(files),
        new CollectorThreads(FileTree.of(files), recorded, complaints::add),
        alive,
        complaints::add);
  }

  private void thread(int tid, String name, String mask) {
    files.put("proc/7/task/" + tid + "/comm", name + "\n");
    files.put("proc/7/task/" + tid + "/status", "Name:\t" + name + "\nCpus_allowed_list:\t" + mask);
  }
}
