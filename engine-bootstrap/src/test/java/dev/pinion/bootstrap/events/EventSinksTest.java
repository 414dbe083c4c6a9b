package dev.pinion.bootstrap.events;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.history.Sink;
import dev.pinion.bootstrap.settings.EventSinkSpec;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.events.EventLog;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import dev.pinion.core.spi.ExternalEvents.KernelFeed;
import dev.pinion.core.stage.ThreadSetup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events that instances emit, on their way to sinks. */
class EventSinksTest {
  private static final List<KernelFeed> NO_KERNELS = List.of();

  @TempDir private Path data;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Map<String, Integer> limits =
      new HashMap<>(Map.of("events.pollMillis", 20, "publish.retryMillis", 10));
  private int ids;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private Sink sink(Sink sink) {
    open.add(sink);
    return sink;
  }

  private EventLane lane(String sinks) {
    EventLane lane =
        new EventLane(
                data, true, EngineLimits.defaults().with(limits), Clock.system(), ThreadSetup.NONE)
            .deliveringTo(EventSinkSpec.parse(sinks), SinkPolicy.DEFAULT);
    open.addFirst(lane);
    lane.feed(NO_KERNELS);
    return lane;
  }

  private static Payload event(String id, String type) throws Exception {
    byte[] bytes =
        "{\"specversion\":\"1.0\",\"source\":\"/s\",\"type\":\"%s\",\"id\":\"%s\",\"data\":1}"
            .formatted(type, id)
            .getBytes(StandardCharsets.UTF_8);
    return new PayloadCodec(EngineLimits.defaults().json()).read(bytes, 0, bytes.length);
  }

  private void emit(EventLane lane, int count, String type) throws Exception {
    for (int i = 0; i < count; i++) {
      assertEquals(
          new EventReceipt.Stored(1, 0),
          lane.emit("n", event("e" + ids++, type)).get(30, TimeUnit.SECONDS));
    }
  }

  private static void awaitTaken(Sink sink, int from, int to) {
    List<String> ids = IntStream.rangeClosed(from, to).mapToObj(n -> "e" + n).toList();
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertEquals(ids, sink.taken().stream().distinct().toList()));
  }

  private static String metrics(EventLane lane) {
    MetricFamilies families = new MetricFamilies();
    lane.addMetrics(families);
    return families.text();
  }

  @Test
  void shouldDeliverWhatIsEmittedInItsOrder() throws Exception {
    Sink all = sink(Sink.willing());
    Sink some = sink(Sink.willing());
    EventLane lane = lane("all=" + all.url() + ",some:order.=" + some.url());
    emit(lane, 3, "order.paid");
    emit(lane, 1, "other");
    assertEquals(
        new EventReceipt.Stored(1, 0),
        lane.post("n", List.of(event("posted", "order.paid"))).get(30, TimeUnit.SECONDS));
    emit(lane, 1, "order.sent");
    awaitTaken(all, 0, 4);
    await().until(() -> some.taken().size() == 4);
    assertEquals(List.of("e0", "e1", "e2", "e4"), some.taken());
    Sink.Got first = all.got().getFirst();
    assertEquals("application/cloudevents+json; charset=utf-8", first.contentType());
    assertEquals("order.paid", first.json().path("type").asText());
    assertEquals(1, first.json().path("data").asInt());
    await()
        .untilAsserted(
            () ->
                assertTrue(
                    metrics(lane).contains("pinion_event_sink_delivered_total{sink=\"some\"} 4")));
  }

  @Test
  void shouldTryAgainWithoutOvertaking() throws Exception {
    Sink sink = sink(new Sink(n -> n % 3 == 2 ? 200 : 500));
    EventLane lane = lane("s=" + sink.url());
    emit(lane, 4, "t");
    awaitTaken(sink, 0, 3);
    assertEquals(12, sink.got().size());
    await()
        .untilAsserted(
            () ->
                assertTrue(
                    metrics(lane).contains("pinion_event_sink_failures_total{sink=\"s\"} 8")));
  }

  @Test
  void shouldContinueAfterARestart() throws Exception {
    Sink down = new Sink(n -> n < 2 ? 204 : 503);
    EventLane lane = lane("s=" + down.url());
    emit(lane, 4, "t");
    await().until(() -> down.got().size() > 2);
    lane.close();
    down.close();

    Sink up = sink(Sink.willing());
    emit(lane("s=" + up.url()), 1, "t");
    awaitTaken(up, 2, 4);
  }

  @Test
  void shouldDeliverFromOneReplicaAtATime() throws Exception {
    Sink sink = sink(Sink.willing());
    EventLane first = lane("s=" + sink.url());
    EventLane second = lane("s=" + sink.url());
    emit(first, 2, "t");
    emit(second, 2, "t");
    awaitTaken(sink, 0, 3);
    assertEquals(4, sink.taken().size(), "each once");
    first.close();
    emit(second, 2, "t");
    awaitTaken(sink, 0, 5);
  }

  @Test
  void shouldLeaveOutTheOldestWhenTooManyWait() throws Exception {
    limits.put("events.maxSinkLag", 2);
    AtomicBoolean up = new AtomicBoolean();
    Sink sink = sink(new Sink(_ -> up.get() ? 204 : 503));
    EventLane lane = lane("s=" + sink.url());
    emit(lane, 5, "t");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> metrics(lane).contains("pinion_event_sink_lost_total{sink=\"s\"} 3"));
    up.set(true);
    awaitTaken(sink, 3, 4);
  }

  @Test
  void shouldKeepNothingForASinkThatIsGone() throws Exception {
    limits.put("events.maxLogged", 2);
    Sink down = sink(new Sink(_ -> 503));
    EventLane lane = lane("s=" + down.url());
    emit(lane, 2, "t");
    assertEquals(
        new EventReceipt.StoreFull("events.maxLogged"), lane.emit("n", event("x", "t")).get());
    lane.close();
    EventStore store =
        EventStore.open(data.resolve("events/events.db"), EngineLimits.defaults().with(limits));
    try (store) {
      comePast(store);
      assertEquals(2, store.log().size());
    }
    EventLane without =
        new EventLane(
            data, true, EngineLimits.defaults().with(limits), Clock.system(), ThreadSetup.NONE);
    open.addFirst(without);
    without.feed(NO_KERNELS);
    EventStore again =
        EventStore.open(data.resolve("events/events.db"), EngineLimits.defaults().with(limits));
    try (again) {
      comePast(again);
      assertEquals(0, again.log().size());
    }
  }

  private static void comePast(EventStore store) throws Exception {
    BitSet all = new BitSet();
    all.set(0, InstanceId.MAX_PARTITIONS);
    store
        .log()
        .save(
            List.of(new EventLog.CursorUpdate(all, store.log().end())),
            List.of(),
            Long.MAX_VALUE / 2);
  }
}
