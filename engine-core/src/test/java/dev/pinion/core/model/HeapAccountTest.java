package dev.pinion.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HeapAccountTest {
  private static final long BOUND = 1 << 20;

  private final HeapAccount heap = new HeapAccount(BOUND);

  /** Field fault 1: calls that have sent large bodies must get the responses that free these. */
  @Test
  void shouldMakeRoomForAnswersOfCallsWhoseRequestsFillIt() {
    long counted = heap.goesAway(BOUND);
    assertEquals(BOUND, counted);
    assertFalse(heap.hasRoomOutside());
    assertTrue(heap.isFull(0));
    assertTrue(heap.hasRoomForAnswers());

    heap.isBack(counted);
    assertTrue(heap.hasRoomOutside());
    assertFalse(heap.isFull(0));
  }

  @Test
  void shouldHoldAnswersUpWhileOthersAreOnTheirWay() {
    long counted = heap.carry(BOUND / 2);
    assertFalse(heap.hasRoomForAnswers());
    assertFalse(heap.hasRoomOutside());

    heap.arrived(counted);
    assertTrue(heap.hasRoomForAnswers());
    assertEquals(0, heap.carry(100), "too little to be counted");
  }
}
