package dev.pinion.broker.analyse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SolveQueueTest {
  private final SolveQueue gate = new SolveQueue();

  private static Cause cause(String subject, String detail) {
    return new Cause(AdaptationRule.SERVICE_TIME, subject, detail);
  }

  @Test
  void shouldLetCausesPassTogetherAndNotBeforeItsTime() {
    assertEquals(List.of(), gate.pass(0, () -> false));
    gate.offer(cause("a", "first"));
    gate.offer(cause("b", "first"));
    gate.offer(cause("a", "renewed"));
    assertEquals(List.of(cause("a", "renewed"), cause("b", "first")), gate.pass(10, () -> false));

    gate.solved(10, 10.01);
    gate.offer(cause("a", "again"));
    assertEquals(List.of(), gate.pass(10.99, () -> false), "a second at least");
    assertEquals(1, gate.pass(11, () -> false).size());
    assertEquals(List.of(), gate.pass(20, () -> false), "they have passed");
  }

  @Test
  void shouldRestInProportionToSolutionsButNoLongerThanAMinute() {
    gate.offer(cause("a", ""));
    assertEquals(1, gate.pass(0, () -> false).size());
    gate.solved(0, 2);
    gate.offer(cause("a", ""));
    assertEquals(List.of(), gate.pass(19.9, () -> false));
    assertEquals(1, gate.pass(20, () -> false).size());
    gate.solved(20, 50);
    gate.offer(cause("a", ""));
    assertEquals(List.of(), gate.pass(79.9, () -> false));
    assertEquals(1, gate.pass(80, () -> false).size());
  }

  @Test
  void shouldBoundWhatWaits() {
    for (int i = 0; i <= SolveQueue.MAX_CAUSES; i++) {
      gate.offer(cause("s" + i, ""));
    }
    assertEquals(SolveQueue.MAX_CAUSES, gate.pass(0, () -> false).size());
  }

  @Test
  void shouldLeaveTimeBetweenTablesUnlessItIsUrgent() {
    gate.adopted(100);
    gate.offer(cause("a", ""));
    assertEquals(List.of(), gate.pass(104.9, () -> false));
    assertEquals(1, gate.pass(105, () -> false).size());

    gate.adopted(200);
    gate.offer(cause("a", ""));
    assertEquals(1, gate.pass(201, () -> true).size());

    gate.adopted(300);
    gate.offer(cause("a", ""));
    assertEquals(List.of(), gate.pass(301, () -> false));
    gate.offer(new Cause(AdaptationRule.SERVICE_UP, "b", ""));
    assertEquals(2, gate.pass(302, () -> false).size(), "who is back takes others along");
  }
}
