package dev.pinion.core.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import dev.pinion.core.spi.ExternalEvents.KernelFeed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Events of an engine without a data folder. */
class InMemoryEventsTest {
  private final AtomicLong epochMillis = new AtomicLong(1_000_000);

  private InMemoryEvents events(Map<String, Integer> limits) {
    return new InMemoryEvents(
        EngineLimits.defaults().with(limits),
        new Clock() {
          @Override
          public long nanoTime() {
            return 0;
          }

          @Override
          public long epochMillis() {
            return epochMillis.get();
          }

          @Override
          public String scale() {
            return "test";
          }
        });
  }

  private static Payload event(String id, String data) throws Exception {
    byte[] bytes =
        "{\"specversion\":\"1.0\",\"source\":\"/s\",\"type\":\"t\",\"id\":\"%s\",\"data\":%s}"
            .formatted(id, data)
            .getBytes(StandardCharsets.UTF_8);
    return new PayloadCodec(EngineLimits.defaults().json()).read(bytes, 0, bytes.length);
  }

  private static EventReceipt post(InMemoryEvents events, Payload... posted) {
    return events.post("n", List.of(posted)).join();
  }

  private static EventReceipt stored(int fresh, int repeated) {
    return new EventReceipt.Stored(fresh, repeated);
  }

  @Test
  void shouldTakeAnEventOnce() throws Exception {
    InMemoryEvents events = events(Map.of());
    assertEquals(stored(1, 1), post(events, event("1", "1"), event("1", "1")));
    assertEquals(stored(1, 1), post(events, event("1", "1"), event("2", "1")));
    assertInstanceOf(
        EventReceipt.ContentConflict.class, post(events, event("3", "1"), event("2", "2")));
    assertInstanceOf(
        EventReceipt.ContentConflict.class, post(events, event("4", "1"), event("4", "2")));
    assertInstanceOf(EventReceipt.Malformed.class, post(events, Payload.EMPTY_OBJECT));
    assertEquals(stored(1, 0), post(events, event("3", "3")), "all of a request or none");
    assertEquals(stored(1, 0), events.post("other", List.of(event("1", "5"))).join());
  }

  @Test
  void shouldRememberEventsForAsLongAsItSays() throws Exception {
    InMemoryEvents events = events(Map.of("events.rememberMinutes", 1, "events.maxRemembered", 2));
    assertEquals(stored(1, 0), post(events, event("1", "1")));
    epochMillis.addAndGet(60_000);
    assertEquals(stored(0, 1), post(events, event("1", "1")));
    epochMillis.addAndGet(1);
    assertEquals(stored(1, 0), post(events, event("1", "1")));
    assertEquals(stored(2, 0), post(events, event("2", "1"), event("3", "1")));
    assertEquals(stored(1, 0), post(events, event("1", "1")), "beyond events.maxRemembered");
  }

  @Test
  void shouldKeepNoMoreThanItMay() throws Exception {
    InMemoryEvents few = events(Map.of("events.maxLogged", 2));
    FedSubscriber kernel = new FedSubscriber().wanting(1, -1, 0);
    few.feed(List.of(new KernelFeed(kernel, EventFeeder.allPartitions())));
    assertEquals(stored(2, 0), post(few, event("1", "1"), event("2", "1")));
    assertEquals(new EventReceipt.StoreFull("events.maxLogged"), post(few, event("3", "1")));
    assertEquals(stored(0, 1), post(few, event("2", "1")));
    kernel.reach(1);
    epochMillis.addAndGet(1_000);
    assertEquals(stored(0, 1), post(few, event("2", "1")), "cursors are stored");
    assertEquals(stored(1, 0), post(few, event("3", "1")));
    assertEquals(List.of(1L, 2L, 3L), kernel.positions());
    kernel.reach(3);
    assertEquals(
        stored(2, 0),
        post(few, event("4", "1"), event("5", "1")),
        "what kernels have passed leaves a full log at once");

    InMemoryEvents small = events(Map.of("events.maxLogBytes", 1 << 16));
    String large = "\"" + "x".repeat(40_000) + "\"";
    assertEquals(stored(1, 0), post(small, event("1", large)));
    assertEquals(new EventReceipt.StoreFull("events.maxLogBytes"), post(small, event("2", large)));
    assertEquals(stored(1, 0), post(small, event("3", "1")));
  }

  @Test
  void shouldCountEvents() throws Exception {
    InMemoryEvents events = events(Map.of());
    FedSubscriber kernel = new FedSubscriber().wanting(1, -1, 0);
    events.feed(List.of(new KernelFeed(kernel, EventFeeder.allPartitions())));
    assertEquals(stored(1, 1), post(events, event("1", "1"), event("1", "1")));
    assertEquals(stored(1, 0), post(events, event("2", "1")));
    kernel.reach(2);
    kernel.consumed = new long[] {1, 1};
    epochMillis.addAndGet(1_000);
    MetricFamilies families = new MetricFamilies();
    events.addMetrics(families);
    assertMetric(families, "pinion_events_received_total 2");
    assertMetric(families, "pinion_events_repeated_total 1");
    assertMetric(families, "pinion_events_dropped_total 1");
    assertMetric(families, "pinion_event_log_events 0");
  }

  private static void assertMetric(MetricFamilies families, String line) {
    String text = families.text();
    assertTrue(text.contains(line + "\n"), () -> "expected " + line + ", found " + text);
  }
}
