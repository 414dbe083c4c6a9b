package dev.pinion.core.stage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LaneTest {
  private final List<Integer> taken = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({"2, 2", "3, 4", "8, 8", "1000, 1024"})
  void shouldHoldAtLeastItsCapacity(int asked, int capacity) {
    Lane<Integer> lane = new Lane<>("test", asked);

    assertEquals(capacity, lane.capacity());
    for (int i = 0; i < capacity; i++) {
      assertTrue(lane.offer(i), "message " + i);
    }
    assertFalse(lane.offer(-1));
    assertEquals(capacity, lane.size());
    assertEquals(1, lane.counters().refused());
    assertEquals(1, lane.drain(taken::add, 1));
    assertTrue(lane.offer(capacity));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 0, -1})
  void shouldRefuseACapacityThatHoldsNothing(int capacity) {
    assertThrows(IllegalArgumentException.class, () -> new Lane<>("test", capacity));
  }

  @Test
  void shouldTakeInOrderUpToALimit() {
    Lane<Integer> lane = new Lane<>("test", 8);
    for (int i = 0; i < 5; i++) {
      lane.offer(i);
    }

    assertEquals(3, lane.drain(taken::add, 3));
    assertEquals(0, lane.drain(taken::add, 0));
    assertEquals(2, lane.drain(taken::add, 100));
    assertEquals(0, lane.drain(taken::add, 100));
    assertEquals(List.of(0, 1, 2, 3, 4), taken);
    assertEquals(5, lane.counters().taken());
    assertTrue(lane.isEmpty());
    assertEquals("test", lane.name());
  }

  @Test
  void shouldTakeAMessageWhoseConsumerThrows() {
    Lane<Integer> lane = new Lane<>("test", 8);
    lane.offer(1);
    lane.offer(2);

    assertThrows(
        IllegalStateException.class,
        () ->
            lane.drain(
                message -> {
                  throw new IllegalStateException();
                },
                10));
    assertEquals(1, lane.counters().taken());
    lane.drain(taken::add, 10);
    assertEquals(List.of(2), taken);
  }

  @Test
  void shouldTakeWhatIsOfferedWhileItDrains() {
    Lane<Integer> lane = new Lane<>("test", 8);
    lane.offer(3);
    lane.drain(
        message -> {
          taken.add(message);
          if (message > 0) {
            lane.offer(message - 1);
          }
        },
        100);

    assertEquals(List.of(3, 2, 1, 0), taken);
  }

  @Test
  void shouldWakeTheReaderOncePerMessageThatFits() {
    Lane<Integer> lane = new Lane<>("test", 2);
    AtomicInteger woken = new AtomicInteger();
    lane.attach(
        () -> {
          assertFalse(lane.isEmpty(), "the message is there before the reader is woken");
          woken.incrementAndGet();
        });
    lane.offer(1);
    lane.offer(2);
    lane.offer(3);

    assertEquals(2, woken.get());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldKeepTheOrderOfEachOfManyWriters(long seed) throws Exception {
    // given four writers, and a reader that takes batches of any size
    int writers = 4;
    int messages = 25_000;
    Lane<int[]> lane = new Lane<>("test", 64);
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      threads.add(writer(lane, begin, writer, messages));
    }
    begin.countDown();
    int[] next = new int[writers];
    Random random = new Random(seed);
    int read = 0;
    while (read < writers * messages) {
      int batch =
          lane.drain(
              message -> assertEquals(next[message[0]]++, message[1], "seed " + seed),
              1 + random.nextInt(100));
      read += batch;
      if (batch == 0) {
        LockSupport.parkNanos(1);
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertTrue(lane.isEmpty());
    assertEquals((long) writers * messages, lane.counters().taken());
  }

  private static Thread writer(Lane<int[]> lane, CountDownLatch begin, int number, int messages) {
    Thread thread =
        new Thread(
            () -> {
              try {
                begin.await();
              } catch (InterruptedException e) {
                return;
              }
              for (int i = 0; i < messages; i++) {
                int[] message = {number, i};
                while (!lane.offer(message)) {
                  LockSupport.parkNanos(1);
                }
              }
            },
            "writer-" + number);
    thread.start();
    return thread;
  }
}
