package dev.pinion.bootstrap.history.publish;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.LifecycleEventType;
import dev.pinion.core.model.instance.Tags;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory held for subscribers, and the choice of the sender. */
class PublisherPoolTest {
  private static final String EVENT = "{\"id\":\"i-1\",\"data\":1}";

  /** Permits for responses. */
  private final Semaphore answers = new Semaphore(0);

  private volatile int status = 204;

  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger wakes = new AtomicInteger();
  private final Queue<String> bodies = new ConcurrentLinkedQueue<>();
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
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
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

  private PublisherPool publishers(Map<String, Integer> limits) {
    EngineLimits all = EngineLimits.defaults().with(limits);
    return new PublisherPool(
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
    return subscription(number, new EventSelection(Set.of(EventKind.INSTANCE_COMPLETED), Set.of()));
  }

  private Subscription subscription(int number, EventSelection selection) {
    return new Subscription(
        "s_" + number,
        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"),
        selection,
        null,
        null,
        Subscription.ContentMode.STRUCTURED,
        null,
        "application/json",
        60,
        0,
        Long.MAX_VALUE);
  }

  private static List<OutboxEvent> events(int from, int to) {
    List<OutboxEvent> events = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      events.add(new OutboxEvent(i, EventKind.INSTANCE_COMPLETED, "n", "d", EVENT));
    }
    return events;
  }

  @Test
  void shouldTakeAsManyEventsAsAQueueHolds() {
    try (PublisherPool publisherPool = publishers(Map.of("publish.maxQueued", 4))) {
      publisherPool.setSubscriptions(List.of(subscription(1)), id -> 0);
      SubscriberDelivery subscriberDelivery = publisherPool.withRoom().getFirst();
      assertEquals(4, subscriberDelivery.room());
      subscriberDelivery.offer(subscriberDelivery.readUpTo(), events(1, 2));
      assertEquals(2, subscriberDelivery.room());
      assertEquals(List.of(subscriberDelivery), publisherPool.withRoom());
      subscriberDelivery.offer(subscriberDelivery.readUpTo(), events(3, 4));
      assertEquals(0, subscriberDelivery.room());
      assertEquals(List.of(), publisherPool.withRoom());
      assertEquals(4, subscriberDelivery.readUpTo());

      answers.release(1);
      await().until(() -> publisherPool.progress().getFirst().delivered() == 1);
      assertEquals(0, wakes.get(), "more than half full");
      answers.release(1);
      await().until(() -> wakes.get() == 1);
      assertEquals(List.of(subscriberDelivery), publisherPool.withRoom());
    }
  }

  /**
   * Field fault 3: events queued for publishers are bounded by their size, over all subscribers.
   */
  @Test
  void shouldHaveNoRoomBeyondTheCharactersOfAllAndServeEachFirstInTurn() {
    int most = 1_024;
    try (PublisherPool publisherPool =
        publishers(Map.of("publish.maxQueuedChars", most, "publish.maxQueued", 1_000))) {
      publisherPool.setSubscriptions(List.of(subscription(1), subscription(2)), id -> 0);
      List<SubscriberDelivery> both = publisherPool.withRoom();
      assertEquals(2, both.size());
      int fits = (most - 1) / EVENT.length();
      both.get(0).offer(both.get(0).readUpTo(), events(1, fits));
      assertTrue(publisherPool.roomForChars() > 0);
      assertEquals(both.reversed(), publisherPool.withRoom(), "another one first");
      both.get(0).offer(both.get(0).readUpTo(), events(fits + 1, fits + 1));
      assertEquals(0, publisherPool.roomForChars());
      assertTrue(publisherPool.withRoom().contains(both.get(1)), "it waits for others to send");
    }
  }

  /**
   * Field fault 3: a subscriber that does not accept its events holds no memory that others need.
   */
  @Test
  void shouldGiveBackWhatCannotBeSentNow() {
    status = 500;
    try (PublisherPool publisherPool = publishers(Map.of("publish.retryMillis", 60_000))) {
      publisherPool.setSubscriptions(List.of(subscription(1)), id -> 3);
      SubscriberDelivery subscriberDelivery = publisherPool.withRoom().getFirst();
      long room = publisherPool.roomForChars();
      subscriberDelivery.offer(subscriberDelivery.readUpTo(), events(4, 6));
      assertEquals(room - 3L * EVENT.length(), publisherPool.roomForChars());
      answers.release(1);
      await().until(() -> publisherPool.progress().getFirst().failure() != null);
      await().until(() -> publisherPool.roomForChars() == room);
      assertEquals(3, subscriberDelivery.readUpTo(), "to be read again");
      assertEquals(List.of(), publisherPool.withRoom(), "not before it is tried again");
    }
  }

  /** Field fault 3: events requested before others were returned are not the next ones. */
  @Test
  void shouldNotTakeWhatWasAskedForBeforeItGaveEventsBack() {
    status = 500;
    try (PublisherPool publisherPool = publishers(Map.of("publish.retryMillis", 1))) {
      publisherPool.setSubscriptions(List.of(subscription(1)), id -> 100);
      SubscriberDelivery subscriberDelivery = publisherPool.withRoom().getFirst();
      subscriberDelivery.offer(100, events(101, 110));
      long after = subscriberDelivery.readUpTo();
      answers.release(1);
      await().until(() -> wakes.get() == 1); // returned them, and may be tried again
      subscriberDelivery.offer(after, events(111, 130));
      assertEquals(100, subscriberDelivery.readUpTo(), "101 comes first");

      status = 204;
      answers.release(30);
      subscriberDelivery.offer(100, events(101, 101));
      await().until(() -> publisherPool.progress().getFirst().position() == 101);
      subscriberDelivery.offer(101, events(102, 130));
      await().until(() -> publisherPool.progress().getFirst().position() == 130);
      assertEquals(30, publisherPool.progress().getFirst().delivered());
    }
  }

  /** Field fault 3: the same for a subscriber in a pause, and for one that is gone. */
  @Test
  void shouldTakeNothingWhileItWaitsOrWhenItsSinkIsGone() {
    for (int answer : new int[] {500, 410}) {
      status = answer;
      try (PublisherPool publisherPool = publishers(Map.of("publish.retryMillis", 60_000))) {
        publisherPool.setSubscriptions(List.of(subscription(1)), id -> 0);
        SubscriberDelivery subscriberDelivery = publisherPool.withRoom().getFirst();
        subscriberDelivery.offer(0, events(1, 2));
        long after = subscriberDelivery.readUpTo();
        answers.release(1);
        await().until(() -> publisherPool.progress().getFirst().failure() != null);
        await().until(() -> subscriberDelivery.readUpTo() == 0);
        subscriberDelivery.offer(after, events(3, 4));
        subscriberDelivery.offer(0, events(1, 1));
        assertEquals(0, subscriberDelivery.readUpTo(), () -> "after " + answer);
      }
    }
  }

  @Test
  void shouldPassOverWhatIsForOthersAndTellHowFarItIs() {
    try (PublisherPool publisherPool = publishers(Map.of())) {
      publisherPool.setSubscriptions(List.of(subscription(1)), id -> 7);
      SubscriberDelivery subscriberDelivery = publisherPool.withRoom().getFirst();
      assertEquals(7, subscriberDelivery.readUpTo());
      subscriberDelivery.offer(
          subscriberDelivery.readUpTo(),
          List.of(new OutboxEvent(9, EventKind.TASK_COMPLETED, "n", "d", EVENT)));
      assertEquals(9, publisherPool.progress().getFirst().position());
      subscriberDelivery.offer(subscriberDelivery.readUpTo(), events(10, 11));
      assertEquals(9, publisherPool.progress().getFirst().position());
      answers.release(2);
      await().until(() -> publisherPool.progress().getFirst().position() == 11);
      DeliveryProgress told = publisherPool.progress().getFirst();
      assertEquals(2, told.delivered());
      publisherPool.advanced();
      assertEquals(0, publisherPool.progress().getFirst().delivered(), "written down already");
    }
  }

  private static final EventSelection BEGINS_OF_TASKS =
      new EventSelection(
          Set.of(EventKind.TASK_STARTED),
          Set.of(LifecycleEventType.TASK_CREATED, LifecycleEventType.TASK_STARTED));

  /** The start of a task, as the history publishes it. */
  private static OutboxEvent taskStarted(long position) {
    HistoryEvent entry =
        new HistoryEvent(
            new InstanceId(4_711L << 10),
            position,
            EventKind.TASK_STARTED,
            1_700_000_000_000L,
            new DefinitionKey("n", "d", "1.0.0"),
            new HistoryEvent.TaskRun("/do/0/a", "a", 1),
            1_700_000_000_000L,
            Payload.of(1),
            null,
            null,
            null,
            Tags.NONE);
    PayloadCodec codec = new PayloadCodec(EngineLimits.defaults().json());
    String text = new CloudEventWriter(codec, 1_000).text(entry);
    return new OutboxEvent(position, EventKind.TASK_STARTED, "n", "d", text);
  }

  private List<String> types() {
    return bodies.stream()
        .map(body -> body.replaceFirst("(?s).*\"type\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  @Test
  void shouldSendEachPartOfAnEventInOrder() {
    try (PublisherPool publisherPool = publishers(Map.of())) {
      publisherPool.setSubscriptions(List.of(subscription(1, BEGINS_OF_TASKS)), id -> 0);
      SubscriberDelivery subscriberDelivery = publisherPool.withRoom().getFirst();
      subscriberDelivery.offer(0, List.of(taskStarted(1), taskStarted(2)));
      answers.release(2);
      await().until(() -> requests.get() == 3);
      assertEquals(0, publisherPool.progress().getFirst().position(), "a part is missing");
      answers.release(4);
      await().until(() -> publisherPool.progress().getFirst().position() == 2);

      List<String> parts =
          List.of(
              "dev.pinion.task.started",
              "io.serverlessworkflow.task.created.v1",
              "io.serverlessworkflow.task.started.v1");
      assertEquals(Stream.concat(parts.stream(), parts.stream()).toList(), types());
      assertEquals(6, publisherPool.progress().getFirst().delivered());
    }
  }

  @Test
  void shouldNotRepeatPartsThatASubscriberHas() {
    try (PublisherPool publisherPool = publishers(Map.of("publish.retryMillis", 1))) {
      publisherPool.setSubscriptions(List.of(subscription(1, BEGINS_OF_TASKS)), id -> 0);
      SubscriberDelivery subscriberDelivery = publisherPool.withRoom().getFirst();
      subscriberDelivery.offer(0, List.of(taskStarted(1)));
      answers.release(1);
      await().until(() -> requests.get() == 2);
      status = 500;
      answers.release(1);
      await().until(() -> wakes.get() == 1); // returned the event, and may be tried again
      status = 204;
      subscriberDelivery.offer(0, List.of(taskStarted(1)));
      answers.release(2);
      await().until(() -> publisherPool.progress().getFirst().position() == 1);

      assertEquals(
          List.of(
              "dev.pinion.task.started",
              "io.serverlessworkflow.task.created.v1",
              "io.serverlessworkflow.task.created.v1",
              "io.serverlessworkflow.task.started.v1"),
          types());
    }
  }

  @Test
  void shouldBeginAnEventAnewForOtherTypes() {
    try (PublisherPool publisherPool = publishers(Map.of())) {
      publisherPool.setSubscriptions(List.of(subscription(1, BEGINS_OF_TASKS)), id -> 0);
      SubscriberDelivery subscriberDelivery = publisherPool.withRoom().getFirst();
      subscriberDelivery.offer(0, List.of(taskStarted(1)));
      await().until(() -> requests.get() == 1);
      EventSelection other = new EventSelection(Set.of(), Set.of(LifecycleEventType.TASK_STARTED));
      publisherPool.setSubscriptions(List.of(subscription(1, other)), id -> 0);
      answers.release(2);
      await().until(() -> publisherPool.progress().getFirst().position() == 1);

      assertEquals(
          List.of("dev.pinion.task.started", "io.serverlessworkflow.task.started.v1"), types());
    }
  }

  @Test
  void shouldSendBySoManyThreadsAndNotAtAllOnceClosed() {
    PublisherPool publisherPool = publishers(Map.of("publish.publishers", 3));
    List<Subscription> all = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      all.add(subscription(i));
    }
    publisherPool.setSubscriptions(all, id -> 0);
    answers.release(1_000);
    publisherPool.withRoom().forEach(each -> each.offer(each.readUpTo(), events(1, 3)));
    await().atMost(Duration.ofSeconds(30)).until(() -> requests.get() == 90);
    await().until(() -> publisherPool.progress().stream().allMatch(each -> each.delivered() == 3));
    assertEquals(3, threads.size(), () -> "threads " + threads);
    List<SubscriberDelivery> deliveries = publisherPool.withRoom();
    publisherPool.close();
    deliveries.forEach(each -> each.offer(each.readUpTo(), events(4, 4)));
    assertEquals(90, requests.get());
  }
}
