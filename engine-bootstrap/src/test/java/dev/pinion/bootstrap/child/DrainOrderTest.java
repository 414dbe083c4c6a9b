package dev.pinion.bootstrap.child;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DrainOrderTest {
  private final DrainOrder order = new DrainOrder();
  private final AtomicInteger woken = new AtomicInteger();

  @Test
  void shouldBeGivenOnceAndForAll() throws InterruptedException {
    assertFalse(order.isGiven());
    assertFalse(order.await(Duration.ofMillis(1)));

    order.give();
    order.give();

    assertTrue(order.isGiven());
    assertTrue(order.await(Duration.ofDays(1)));
  }

  @Test
  void shouldEndTheWaitForOtherWork() {
    order.onGiven(woken::incrementAndGet);
    assertEquals(0, woken.get());

    order.give();

    assertEquals(1, woken.get());
  }

  @Test
  void shouldEndTheWaitAlsoWhenItCameBefore() {
    order.give();

    order.onGiven(woken::incrementAndGet);

    assertEquals(1, woken.get());
  }

  @Test
  void shouldEndRepeatedWork() throws InterruptedException {
    CountDownLatch thrice = new CountDownLatch(3);
    order.repeatUntilGiven(
        "test-repeats",
        Duration.ofMillis(1),
        () -> {
          thrice.countDown();
          return true;
        });

    assertTrue(thrice.await(20, TimeUnit.SECONDS));
    order.give();
  }

  @Test
  void shouldLetRepeatedWorkEndItself() throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    order.repeatUntilGiven(
        "test-repeats",
        Duration.ofMillis(1),
        () -> {
          woken.incrementAndGet();
          ended.countDown();
          return false;
        });

    assertTrue(ended.await(20, TimeUnit.SECONDS));
    assertFalse(order.await(Duration.ofMillis(50)));
    assertEquals(1, woken.get());
  }
}
