package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReadinessTasksTest {
  private static final Duration FOR_EVER = Duration.ofDays(1);

  @Test
  void shouldWaitForAllThatIsArranged() {
    Thread waiting = Thread.currentThread();
    ReadinessTasks readinessTasks = new ReadinessTasks(FOR_EVER, System::nanoTime);
    Thread first = Thread.ofPlatform().start(() -> untilJoinedBy(waiting));
    Thread second = Thread.ofPlatform().start(() -> untilJoinedBy(waiting));
    readinessTasks.add(first);
    readinessTasks.add(second);

    readinessTasks.await();

    assertFalse(first.isAlive() || second.isAlive());
  }

  @Test
  void shouldNotWaitLongerThanAgreed() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Thread hanging = Thread.ofPlatform().start(() -> hold(never));
    ReadinessTasks readinessTasks = new ReadinessTasks(Duration.ofMillis(1), System::nanoTime);
    readinessTasks.add(hanging);
    readinessTasks.add(hanging);

    readinessTasks.await();

    assertTrue(hanging.isAlive());
    never.countDown();
    hanging.join();
  }

  @Test
  void shouldLeaveAnInterruptSet() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Thread hanging = Thread.ofPlatform().start(() -> hold(never));
    ReadinessTasks readinessTasks = new ReadinessTasks(FOR_EVER, System::nanoTime);
    readinessTasks.add(hanging);

    Thread.currentThread().interrupt();
    readinessTasks.await();

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
