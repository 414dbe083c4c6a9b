package dev.pinion.core.kernel.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PermitsTest {
  private final List<Integer> sent = new ArrayList<>();
  private final Set<Integer> withdrawn = new HashSet<>();
  private boolean room = true;

  private Permits<Integer> permits(int bound) {
    return new Permits<>(bound, () -> room, request -> !withdrawn.contains(request), sent::add);
  }

  @Test
  void shouldSendUpToTheBoundAndThenInTurn() {
    Permits<Integer> permits = permits(2);
    for (int i = 0; i < 4; i++) {
      permits.request(i);
    }
    assertEquals(List.of(0, 1), sent);
    permits.release();
    permits.release();

    assertEquals(List.of(0, 1, 2, 3), sent);
    assertEquals(2, permits.used());
  }

  // Field fault 1: requests outside wait for room on the heap, but never for ever.
  @Test
  void shouldHoldBackAllButOneWhileThereIsNoRoom() {
    room = false;
    Permits<Integer> permits = permits(3);
    for (int i = 0; i < 5; i++) {
      permits.request(i);
    }
    assertEquals(List.of(0), sent);
    permits.release();
    assertEquals(List.of(0, 1), sent);
    assertEquals(0, permits.grant());
    assertTrue(permits.waitsForRoom());
    room = true;
    permits.request(5);
    assertEquals(List.of(0, 1), sent, "behind waiting ones");
    assertEquals(2, permits.grant());
    assertEquals(List.of(0, 1, 2, 3), sent);
    assertFalse(permits.waitsForRoom(), "all permits are taken, and a completion gives one back");
  }

  @Test
  void shouldPassOverWhatIsNoLongerWanted() {
    Permits<Integer> permits = permits(1);
    for (int i = 0; i < 4; i++) {
      permits.request(i);
    }
    withdrawn.add(1);
    permits.withdraw();
    permits.release();

    assertEquals(List.of(0, 2), sent);
  }

  @Test
  void shouldLetGoOfWhatNobodyWants() {
    Permits<Integer> permits = permits(1);
    permits.request(-1);
    for (int i = 0; i < 10_000; i++) {
      permits.request(i);
      withdrawn.add(i);
      permits.withdraw();
      assertTrue(permits.waiting() <= 2, "waiting: " + permits.waiting());
    }
  }

  @Test
  void shouldRefuseAPermitThatNobodyTook() {
    assertThrows(IllegalStateException.class, permits(1)::release);
  }

  @Test
  void shouldNeverExceedTheBoundNorForgetAnybody() {
    long seed = 20_261;
    Random random = new Random(seed);
    Permits<Integer> permits = permits(3);
    int requested = 0;
    int released = 0;
    for (int i = 0; i < 10_000; i++) {
      int what = random.nextInt(3);
      if (what == 0) {
        permits.request(requested++);
      } else if (what == 1 && permits.used() > 0) {
        permits.release();
        released++;
      } else if (requested > 0) {
        int victim = random.nextInt(requested);
        if (!sent.contains(victim) && withdrawn.add(victim)) {
          permits.withdraw();
        }
      }
      assertTrue(permits.used() <= 3, "seed " + seed);
      assertEquals(sent.size() - released, permits.used(), "seed " + seed);
      assertTrue(permits.used() == 3 || permits.waiting() == 0, "seed " + seed);
    }
    while (permits.used() > 0) {
      permits.release();
    }
    assertEquals(requested, sent.size() + withdrawn.size(), "seed " + seed);
  }
}
