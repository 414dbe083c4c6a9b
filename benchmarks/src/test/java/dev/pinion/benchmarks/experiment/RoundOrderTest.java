package dev.pinion.benchmarks.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundOrderTest {
  @Test
  void shouldChangeTheOrderOfTwoSoThatNeitherIsAheadMoreOften() {
    List<List<String>> orders =
        IntStream.range(0, 4)
            .mapToObj(round -> RoundOrder.order(List.of("a", "b"), round))
            .toList();

    assertEquals(
        List.of(List.of("a", "b"), List.of("b", "a"), List.of("b", "a"), List.of("a", "b")),
        orders);
  }

  @Test
  void shouldTakeEveryOrderOfThree() {
    Set<List<String>> orders = new HashSet<>();
    for (int round = 0; round < 6; round++) {
      orders.add(RoundOrder.order(List.of("a", "b", "c"), round));
    }

    assertEquals(6, orders.size(), orders::toString);
  }

  @Test
  void shouldGiveEachItsTurnAtEachPlace() {
    List<Integer> items = List.of(0, 1, 2, 3, 4);
    int[][] places = new int[5][5];
    for (int round = 0; round < 10; round++) {
      List<Integer> order = RoundOrder.order(items, round);
      for (int place = 0; place < 5; place++) {
        places[order.get(place)][place]++;
      }
    }

    for (int[] counts : places) {
      for (int count : counts) {
        assertEquals(2, count);
      }
    }
  }
}
