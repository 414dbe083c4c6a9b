package dev.pinion.benchmarks.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.topology.CpuSet;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CpuPlacementTest {
  private static final CpuSet FOUR = CpuSet.of(2, 3, 6, 7);

  @Test
  void shouldGiveTheLowestCpuToTheEngineAndTheOthersToTheLoad() {
    CpuPlacement placement = CpuPlacement.of(null, null, FOUR);

    assertEquals(CpuSet.of(2), placement.engine());
    assertEquals(CpuSet.of(3, 6, 7), placement.load());
  }

  @Test
  void shouldGiveTheEngineALowestCpuThatTheLoadLeaves() {
    CpuPlacement placement = CpuPlacement.of(null, "2-3", FOUR);

    assertEquals(CpuSet.of(6), placement.engine());
    assertEquals(CpuSet.of(2, 3), placement.load());
  }

  @Test
  void shouldTakeWhatIsNamed() {
    CpuPlacement placement = CpuPlacement.of("6,7", "2", FOUR);

    assertEquals(CpuSet.of(6, 7), placement.engine());
    assertEquals(CpuSet.of(2), placement.load());
  }

  @Test
  void shouldShareAllCpusBetweenReplicasAndLoadWhereThereAreFew() {
    CpuSet two = CpuSet.of(0, 1);

    CpuPlacement few = CpuPlacement.ofReplicas(null, null, two);
    CpuPlacement enough = CpuPlacement.ofReplicas(null, null, FOUR);

    assertTrue(few.shared());
    assertEquals(two, few.engine());
    assertEquals(CpuSet.of(2, 3), enough.engine());
    assertEquals(CpuSet.of(6, 7), enough.load());
    assertEquals(CpuSet.of(2), CpuPlacement.ofReplicas("2", "3", FOUR).engine());
  }

  @Test
  void shouldLeaveTheFirstCpuToAPinnedLoopWhereThereAreFew() {
    CpuPlacement few = CpuPlacement.ofPinnedLoops(null, null, CpuSet.of(0, 1));

    assertEquals(CpuSet.of(0, 1), few.engine());
    assertEquals(CpuSet.of(1), few.load());
    assertTrue(few.shared());
    assertEquals(CpuSet.of(0), CpuPlacement.ofPinnedLoops("0", null, CpuSet.of(0, 1)).engine());
    assertEquals(CpuSet.of(6, 7), CpuPlacement.ofPinnedLoops(null, null, FOUR).load());
    assertEquals(CpuSet.of(5), CpuPlacement.ofPinnedLoops(null, null, CpuSet.of(5)).load());
  }

  @Test
  void shouldRefuseSharedAndMissingCpus() {
    for (String[] wrong : new String[][] {{"2", "2"}, {"2-6", "6-7"}, {"2", ""}}) {
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class, () -> CpuPlacement.of(wrong[0], wrong[1], FOUR));
      assertTrue(String.valueOf(refusal.getMessage()).contains("--engine-cpus"));
    }
    assertThrows(IllegalArgumentException.class, () -> CpuPlacement.of("5", null, CpuSet.of(5)));
    assertThrows(IllegalArgumentException.class, () -> CpuPlacement.of(null, null, CpuSet.EMPTY));
  }

  @Test
  void shouldRefuseCpusThatThisProcessMayNotUse() {
    for (String[] wrong : new String[][] {{"2", "99"}, {"4-7", "2"}, {null, "77"}, {"77", null}}) {
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class, () -> CpuPlacement.of(wrong[0], wrong[1], FOUR));
      assertTrue(
          String.valueOf(refusal.getMessage()).matches("expected --.*-cpus among .* 2-3,6-7, .*"),
          refusal::getMessage);
    }
  }

  @Test
  void shouldShareTheOnlyCpu() {
    CpuPlacement only = CpuPlacement.of(null, null, CpuSet.of(5));

    assertEquals(CpuSet.of(5), only.engine());
    assertEquals(CpuSet.of(5), only.load());
    assertTrue(only.shared());
  }

  @Test
  void shouldConfineCommandsAndLeaveACpuToTheStub() {
    CpuPlacement placement = CpuPlacement.of("2", "3,6-7", FOUR);

    assertEquals(List.of("taskset", "-c", "2", "x", "y"), placement.onEngine(List.of("x", "y")));
    assertEquals(List.of("taskset", "-c", "3,6-7", "x"), placement.onLoad(List.of("x")));
    assertEquals(2, placement.loadThreads());
    assertEquals(1, CpuPlacement.of("2", "3", FOUR).loadThreads());
  }

  @Test
  void shouldLayOutLoopsByNumberOfCpus() {
    assertEquals("fused:1", EngineLayout.FUSED.option(1));
    assertEquals("pipelined:1+1+1", EngineLayout.PIPELINED.option(1));
    assertEquals("pipelined:1+1+1", EngineLayout.PIPELINED.option(3));
    assertEquals("pipelined:2+2+4", EngineLayout.PIPELINED.option(8));
    assertEquals("engine-pipelined", EngineLayout.PIPELINED.variant());
  }
}
