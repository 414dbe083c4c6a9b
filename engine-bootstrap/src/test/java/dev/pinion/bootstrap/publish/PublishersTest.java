package dev.pinion.bootstrap.publish;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.HistoryEvent.Kind;
import dev.pinion.core.model.PayloadCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory held for subscribers, and the choice of the sender. */
class PublishersTest {
  private static final String EVENT = "{\"id\":\"i-1\",\"data\":1}";

  /** Permits for responses. */
  private final Semaphore answers = new Semaphore(0);

  private volatile int status = 204;

  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger wakes = new AtomicInteger();
  private final Set<String> threads = ConcurrentHashMap.newKeySet();
  private HttpServer server = unbound();

  private static HttpServer unbound() {
    try {
      return HttpServer.create();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          answers.acquireUninterruptibly();
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    answers.release(10_000);
    server.stop(0);
  }

  private Publishers publishers(Map<String, Integer> limits) {
    EngineLimits all = EngineLimits.defaults().with(limits);
    return new Publishers(
        all,
        new PayloadCodec(all.json()),
        SinkPolicy.DEFAULT,
        work -> {
          Thread thread =
              new Thread(
                  () -> {
                    threads.add(Thread.currentThread().getName());
                    work.run();
                  });
          thread.setDaemon(true);
          return thread;
        },
        wakes::incrementAndGet);
  }

  private Subscription subscription(int number) {
    return new Subscription(
        "s_" + number,
        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"),
        Set.of(Kind.INSTANCE_COMPLETED),
        null,
        null,
        Subscription.Mode.STRUCTURED,
        null,
        "application/json",
        60,
        0,
        Long.MAX_VALUE);
  }

  private static List<OutboxEvent> events(int from, int to) {
    List<OutboxEvent> events = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      events.add(new OutboxEvent(i, Kind.INSTANCE_COMPLETED, "n", "d", EVENT));
    }
    return events;
  }

  @Test
  void shouldTakeAsManyEventsAsAQueueHolds() {
    try (Publishers publishers = publishers(Map.of("publish.maxQueued", 4))) {
      publishers.keep(List.of(subscription(1)), id -> 0);
      Delivery delivery = publishers.withRoom().getFirst();
      assertEquals(4, delivery.room());
      delivery.take(delivery.readUpTo(), events(1, 2));
      assertEquals(2, delivery.room());
      assertEquals(List.of(delivery), publishers.withRoom());
      delivery.take(delivery.readUpTo(), events(3, 4));
      assertEquals(0, delivery.room());
      assertEquals(List.of(), publishers.withRoom());
      assertEquals(4, delivery.readUpTo());

      answers.release(1);
      await().until(() -> publishers.progress().getFirst().delivered() == 1);
      assertEquals(0, wakes.get(), "more than half full");
      answers.release(1);
      await().until(() -> wakes.get() == 1);
      assertEquals(List.of(delivery), publishers.withRoom());
    }
  }

  /**
   * Field fault 3: events queued for publishers are bounded by their size, over all subscribers.
   */
  @Test
  void shouldHaveNoRoomBeyondTheCharactersOfAllAndServeEachFirstInTurn() {
    int most = 1_024;
    try (Publishers publishers =
        publishers(Map.of("publish.maxQueuedChars", most, "publish.maxQueued", 1_000))) {
      publishers.keep(List.of(subscription(1), subscription(2)), id -> 0);
      List<Delivery> both = publishers.withRoom();
      assertEquals(2, both.size());
      int fits = (most - 1) / EVENT.length();
      both.get(0).take(both.get(0).readUpTo(), events(1, fits));
      assertTrue(publishers.roomForChars() > 0);
      assertEquals(both.reversed(), publishers.withRoom(), "another one first");
      both.get(0).take(both.get(0).readUpTo(), events(fits + 1, fits + 1));
      assertEquals(0, publishers.roomForChars());
      assertTrue(publishers.withRoom().contains(both.get(1)), "it waits for others to send");
    }
  }

  /**
   * Field fault 3: a subscriber that does not accept its events holds no memory that others need.
   */
  @Test
  void shouldGiveBackWhatCannotBeSentNow() {
    status = 500;
    try (Publishers publishers = publishers(Map.of("publish.retryMillis", 60_000))) {
      publishers.keep(List.of(subscription(1)), id -> 3);
      Delivery delivery = publishers.withRoom().getFirst();
      long room = publishers.roomForChars();
      delivery.take(delivery.readUpTo(), events(4, 6));
      assertEquals(room - 3L * EVENT.length(), publishers.roomForChars());
      answers.release(1);
      await().until(() -> publishers.progress().getFirst().failure() != null);
      await().until(() -> publishers.roomForChars() == room);
      assertEquals(3, delivery.readUpTo(), "to be read again");
      assertEquals(List.of(), publishers.withRoom(), "not before it is tried again");
    }
  }

  /** Field fault 3: events requested before others were returned are not the next ones. */
  @Test
  void shouldNotTakeWhatWasAskedForBeforeItGaveEventsBack() {
    status = 500;
    try (Publishers publishers = publishers(Map.of("publish.retryMillis", 1))) {
      publishers.keep(List.of(subscription(1)), id -> 100);
      Delivery delivery = publishers.withRoom().getFirst();
      delivery.take(100, events(101, 110));
      long after = delivery.readUpTo();
      answers.release(1);
      await().until(() -> wakes.get() == 1); // returned them, and may be tried again
      delivery.take(after, events(111, 130));
      assertEquals(100, delivery.readUpTo(), "101 comes first");

      status = 204;
      answers.release(30);
      delivery.take(100, events(101, 101));
      await().until(() -> publishers.progress().getFirst().position() == 101);
      delivery.take(101, events(102, 130));
      await().until(() -> publishers.progress().getFirst().position() == 130);
      assertEquals(30, publishers.progress().getFirst().delivered());
    }
  }

  /** Field fault 3: the same for a subscriber in a pause, and for one that is gone. */
  @Test
  void shouldTakeNothingWhileItWaitsOrWhenItsSinkIsGone() {
    for (int answer : new int[] {500, 410}) {
      status = answer;
      try (Publishers publishers = publishers(Map.of("publish.retryMillis", 60_000))) {
        publishers.keep(List.of(subscription(1)), id -> 0);
        Delivery delivery = publishers.withRoom().getFirst();
        delivery.take(0, events(1, 2));
        long after = delivery.readUpTo();
        answers.release(1);
        await().until(() -> publishers.progress().getFirst().failure() != null);
        await().until(() -> delivery.readUpTo() == 0);
        delivery.take(after, events(3, 4));
        delivery.take(0, events(1, 1));
        assertEquals(0, delivery.readUpTo(), () -> "after " + answer);
      }
    }
  }

  @Test
  void shouldPassOverWhatIsForOthersAndTellHowFarItIs() {
    try (Publishers publishers = publishers(Map.of())) {
      publishers.keep(List.of(subscription(1)), id -> 7);
      Delivery delivery = publishers.withRoom().getFirst();
      assertEquals(7, delivery.readUpTo());
      delivery.take(
          delivery.readUpTo(), List.of(new OutboxEvent(9, Kind.TASK_COMPLETED, "n", "d", EVENT)));
      assertEquals(9, publishers.progress().getFirst().position());
      delivery.take(delivery.readUpTo(), events(10, 11));
      assertEquals(9, publishers.progress().getFirst().position());
      answers.release(2);
      await().until(() -> publishers.progress().getFirst().position() == 11);
      Progress told = publishers.progress().getFirst();
      assertEquals(2, told.delivered());
      publishers.advanced();
      assertEquals(0, publishers.progress().getFirst().delivered(), "written down already");
    }
  }

  @Test
  void shouldSendBySoManyThreadsAndNotAtAllOnceClosed() {
    Publishers publishers = publishers(Map.of("publish.publishers", 3));
    List<Subscription> all = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      all.add(subscription(i));
    }
    publishers.keep(all, id -> 0);
    answers.release(1_000);
    publishers.withRoom().forEach(each -> each.take(each.readUpTo(), events(1, 3)));
    await().atMost(Duration.ofSeconds(30)).until(() -> requests.get() == 90);
    await().until(() -> publishers.progress().stream().allMatch(each -> each.delivered() == 3));
    assertEquals(3, threads.size(), () -> "threads " + threads);
    List<Delivery> deliveries = publishers.withRoom();
    publishers.close();
    deliveries.forEach(each -> each.take(each.readUpTo(), events(4, 4)));
    assertEquals(90, requests.get());
  }
}
