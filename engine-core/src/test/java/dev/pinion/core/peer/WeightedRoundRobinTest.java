package dev.pinion.core.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.partition.StartPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Field fault 32: replicas of different sizes. */
class WeightedRoundRobinTest {
  @Test
  void shouldGiveTurnsByWeightSpreadEvenly() {
    WeightedRoundRobin turns = turns(0, List.of(4, 2, 1));

    assertEquals(List.of(0, 1, 0, 2, 0, 1, 0), take(turns, 7));
    assertEquals(List.of(0, 1, 0, 2, 0, 1, 0), take(turns, 7));
  }

  @Test
  void shouldGiveEqualReplicasTurnsOneAfterTheOther() {
    assertEquals(List.of(2, 0, 1, 2, 0, 1), take(turns(1, List.of(3, 3, 3)), 6));
  }

  @Test
  void shouldGiveNoTurnToWhoCannotHaveOne() {
    WeightedRoundRobin turns = turns(0, List.of(4, 2, 1));

    assertEquals(1, turns.next(slot -> slot == 1));
    assertEquals(-1, turns.next(slot -> false));
  }

  @Test
  void shouldRefuseWeightsThatMakeNoSense() {
    assertThrows(IllegalArgumentException.class, () -> turns(0, List.of(1, 0)));
    assertThrows(
        IllegalArgumentException.class,
        () -> new ReplicaGroup(0, 2, Path.of(""), StartPolicy.IN_TURN, List.of(1)));
  }

  private static WeightedRoundRobin turns(int slot, List<Integer> weights) {
    return new WeightedRoundRobin(
        new ReplicaGroup(slot, weights.size(), Path.of(""), StartPolicy.IN_TURN, weights));
  }

  private static List<Integer> take(WeightedRoundRobin turns, int count) {
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(turns.next(slot -> true));
    }
    return taken;
  }
}
