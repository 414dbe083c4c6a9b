package dev.pinion.core.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.stage.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeoutQueueTest {
  private final TimeoutQueue<Item> queue = new TimeoutQueue<>(10);

  private static final class Item extends TimeoutQueue.TimeoutNode<Item> {
    long due;
  }

  @Test
  void shouldExpireAtTheDeadlineAndNotBefore() {
    // given
    Item item = new Item();
    queue.add(item);
    queue.start(100);

    // then
    assertEquals(110, queue.nextDeadlineNanos());
    assertNull(queue.pollExpired(109));
    assertSame(item, queue.pollExpired(110));
    assertNull(queue.pollExpired(200));
    assertEquals(Stage.NO_DEADLINE, queue.nextDeadlineNanos());
  }

  @Test
  void shouldNotExpireWhatHasNoDeadlineYet() {
    // given
    queue.add(new Item());

    // then
    assertTrue(queue.hasUnstarted());
    assertNull(queue.pollExpired(Long.MAX_VALUE));
    assertEquals(Stage.NO_DEADLINE, queue.nextDeadlineNanos());
    queue.start(0);
    assertFalse(queue.hasUnstarted());
  }

  @Test
  void shouldRefuseANodeThatIsQueued() {
    Item item = new Item();
    queue.add(item);
    assertThrows(IllegalStateException.class, () -> queue.add(item));
  }

  @Test
  void shouldLeaveANodeOfAnotherQueueAlone() {
    // given
    TimeoutQueue<Item> other = new TimeoutQueue<>(10);
    Item item = new Item();
    other.add(item);

    // when
    queue.remove(item);

    // then
    assertSame(item, other.poll());
    assertNull(other.poll());
    other.add(item);
  }

  @Test
  void shouldAgreeWithAListUnderRandomUse() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Item> unstarted = new ArrayList<>();
    ArrayDeque<Item> started = new ArrayDeque<>();
    long now = 0;
    for (int step = 0; step < 20_000; step++) {
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          Item item = new Item();
          queue.add(item);
          unstarted.add(item);
        }
        case 2 -> {
          Item item = pick(random, unstarted, started);
          if (item != null) {
            queue.remove(item);
          }
        }
        case 3 -> {
          queue.start(now);
          for (Item item : unstarted) {
            item.due = now + 10;
          }
          started.addAll(unstarted);
          unstarted.clear();
        }
        default -> {
          now += random.nextInt(4);
          Item due = started.peekFirst();
          Item expected = due != null && due.due <= now ? started.pollFirst() : null;
          assertSame(expected, queue.pollExpired(now), "seed " + seed + ", step " + step);
        }
      }
      assertEquals(!unstarted.isEmpty(), queue.hasUnstarted(), "seed " + seed);
    }
  }

  private static @org.jspecify.annotations.Nullable Item pick(
      Random random, List<Item> unstarted, ArrayDeque<Item> started) {
    List<Item> all = new ArrayList<>(started);
    all.addAll(unstarted);
    if (all.isEmpty()) {
      return null;
    }
    Item item = all.get(random.nextInt(all.size()));
    started.remove(item);
    unstarted.remove(item);
    return item;
  }
}
