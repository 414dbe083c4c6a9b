package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.placement.Pinning;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.topology.FileTree;
import dev.pinion.bootstrap.topology.Machines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadMaskCheckTest {
  private final ReplicaSpec spec =
      PlacementPlanner.plan(Machines.sosoaM1(), PlacementSettings.AUTO).replicas().getFirst();
  private final Map<String, String> files = new HashMap<>();
  private final List<String> complaints = new ArrayList<>();

  @Test
  void shouldSayNothingWhileEveryThreadIsWhereThePlanSays() {
    thread(1, "main", spec.confined().toString());
    spec.pins().forEach((name, cpu) -> thread(100 + cpu, name, cpu.toString()));

    new ThreadMaskCheck(FileTree.of(files), pid -> true, complaints::add).check(spec, 7);

    assertEquals(List.of(), complaints);
  }

  @Test
  void shouldEndItsThreadWhenItIsKnownWhereTheReplicaRuns() throws Exception {
    thread(1, "main", spec.confined().toString());
    thread(2, "fused-0", "11");

    new ThreadMaskCheck(FileTree.of(files), pid -> true, complaints::add).start(spec, 7).join();

    assertEquals(1, complaints.size());
  }

  @Test
  void shouldNameAThreadThatIsElsewhere() {
    thread(1, "main", spec.confined().toString());
    thread(2, "fused-0", "11");

    new ThreadMaskCheck(FileTree.of(files), pid -> true, complaints::add).check(spec, 7);

    assertEquals(1, complaints.size());
    String complaint = complaints.getFirst();
    assertTrue(complaint.contains("fused-0 on 11 instead of 0"), complaint);
    assertTrue(complaint.contains("--best-effort"), complaint);
  }

  @Test
  void shouldComplainWhereNoThreadCanBeRead() {
    new ThreadMaskCheck(FileTree.of(files), pid -> true, complaints::add).check(spec, 7);

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

    new ThreadMaskCheck(FileTree.of(files), pid -> false, complaints::add).check(spec, 7);
    new ThreadMaskCheck(FileTree.of(files), pid -> true, complaints::add).check(free, 7);

    assertEquals(List.of(), complaints);
  }

  private void thread(int tid, String name, String mask) {
    files.put("proc/7/task/" + tid + "/comm", name + "\n");
    files.put("proc/7/task/" + tid + "/status", "Name:\t" + name + "\nCpus_allowed_list:\t" + mask);
  }
}
