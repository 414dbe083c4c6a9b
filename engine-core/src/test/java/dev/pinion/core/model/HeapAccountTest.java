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
    long counted = heap.reserve(BOUND);
    assertEquals(BOUND, counted);
    assertFalse(heap.hasRoomForCalls());
    assertTrue(heap.isFull(0));
    assertTrue(heap.hasRoomForResponses());

    heap.release(counted);
    assertTrue(heap.hasRoomForCalls());
    assertFalse(heap.isFull(0));
  }

  @Test
  void shouldHoldAnswersUpWhileOthersAreOnTheirWay() {
    long counted = heap.beginTransfer(BOUND / 2);
    assertFalse(heap.hasRoomForResponses());
    assertFalse(heap.hasRoomForCalls());

    heap.endTransfer(counted);
    assertTrue(heap.hasRoomForResponses());
    assertEquals(0, heap.beginTransfer(100), "too little to be counted");
  }
}
