package dev.pinion.bootstrap.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ArrangementsTest {
  private static final Duration FOR_EVER = Duration.ofDays(1);

  @Test
  void shouldWaitForAllThatIsArranged() {
    Thread waiting = Thread.currentThread();
    Arrangements arrangements = new Arrangements(FOR_EVER, System::nanoTime);
    Thread first = Thread.ofPlatform().start(() -> untilJoinedBy(waiting));
    Thread second = Thread.ofPlatform().start(() -> untilJoinedBy(waiting));
    arrangements.add(first);
    arrangements.add(second);

    arrangements.await();

    assertFalse(first.isAlive() || second.isAlive());
  }

  @Test
  void shouldNotWaitLongerThanAgreed() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Thread hanging = Thread.ofPlatform().start(() -> hold(never));
    Arrangements arrangements = new Arrangements(Duration.ofMillis(1), System::nanoTime);
    arrangements.add(hanging);
    arrangements.add(hanging);

    arrangements.await();

    assertTrue(hanging.isAlive());
    never.countDown();
    hanging.join();
  }

  @Test
  void shouldLeaveAnInterruptSet() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Thread hanging = Thread.ofPlatform().start(() -> hold(never));
    Arrangements arrangements = new Arrangements(FOR_EVER, System::nanoTime);
    arrangements.add(hanging);

    Thread.currentThread().interrupt();
    arrangements.await();

    assertTrue(Thread.interrupted());
    never.countDown();
    hanging.join();
  }

  private static void untilJoinedBy(Thread waiting) {
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
