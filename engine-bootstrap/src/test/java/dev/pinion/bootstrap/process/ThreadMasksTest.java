package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.placement.Pinning;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.ThreadMasks.ThreadMask;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.FileTree;
import dev.pinion.bootstrap.topology.Machines;
import dev.pinion.core.settings.StageLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadMasksTest {
  private final Map<String, String> files = new HashMap<>();

  @Test
  void shouldCompareEveryThreadWithThePlan() {
    thread(7, "java", "5");
    thread(8, "fused-0", "0");
    thread(9, "fused-1", "0");
    thread(10, "GC Thread#0", "0-5");
    thread(11, "G1 Conc#0", "0-5");

    List<ThreadMask> masks = masks(PlacementSettings.AUTO);

    assertEquals(
        List.of(
            new ThreadMask(7, "java", CpuSet.of(5), CpuSet.of(5)),
            new ThreadMask(8, "fused-0", CpuSet.of(0), CpuSet.of(0)),
            new ThreadMask(9, "fused-1", CpuSet.of(0), CpuSet.of(1)),
            new ThreadMask(10, "GC Thread#0", CpuSet.firstCpus(6), CpuSet.firstCpus(6)),
            new ThreadMask(11, "G1 Conc#0", CpuSet.firstCpus(6), CpuSet.of(5))),
        masks);
    assertEquals(
        List.of(true, true, false, true, false), masks.stream().map(ThreadMask::ok).toList());
  }

  @Test
  void shouldExpectTheGroupOfReplicasThatAreNotPinned() {
    thread(7, "java", "0-5");
    thread(8, "fused-0", "0");

    List<ThreadMask> masks = masks(PlacementSettings.AUTO.withPinning(Pinning.GROUP));

    assertEquals(List.of(true, false), masks.stream().map(ThreadMask::ok).toList());
  }

  @Test
  void shouldExpectNothingOfReplicasThatAreNotConfined() {
    thread(8, "fused-0", "0-11");

    assertTrue(masks(PlacementSettings.AUTO.withPinning(Pinning.NONE)).getFirst().ok());
  }

  @Test
  void shouldLeaveOutThreadsThatEndMeanwhile() {
    thread(7, "java", "5");
    files.put("proc/1/task/9/comm", "gone");

    assertEquals(1, masks(PlacementSettings.AUTO).size());
  }

  @Test
  void shouldKnowThreadsByWhatLinuxKeepsOfTheirNames() {
    PlacementSettings pipelined =
        PlacementSettings.AUTO.withLayout(new StageLayout.Pipelined(1, 1, 1));
    thread(8, "kernel-0\n", "1");

    assertEquals(CpuSet.of(1), masks(pipelined).getFirst().expected());
    assertEquals(15, ThreadMasks.NAME_LENGTH);
  }

  private void thread(int tid, String name, String mask) {
    files.put("proc/1/task/" + tid + "/comm", name);
    files.put(
        "proc/1/task/" + tid + "/status",
        "Name:\tx\nCpus_allowed:\t1\nCpus_allowed_list:\t" + mask);
  }

  private List<ThreadMask> masks(PlacementSettings settings) {
    ReplicaSpec spec = PlacementPlanner.plan(Machines.sosoaM1(), settings).replicas().getFirst();
    return new ThreadMasks(spec).of(FileTree.of(files), 1);
  }
}
