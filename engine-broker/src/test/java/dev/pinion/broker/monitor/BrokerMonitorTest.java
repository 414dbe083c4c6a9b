package dev.pinion.broker.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.document.ObservationJson;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallObserver;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Observations of a replica, through the message, into the monitors. */
class BrokerMonitorTest {
  private static final BindingTable TABLE =
      new BindingTable(1, "std", Map.of("gold", Map.of(), "std", Map.of()));

  private static final long MILLI = 1_000_000;
  private final AtomicLong millis = new AtomicLong(1_000_000);
  private final ObservationCollector observationCollector = new ObservationCollector(() -> TABLE);
  private final CallObserver observer = observationCollector.observer();
  private final BrokerMonitor brokerMonitor =
      new BrokerMonitor(
          new Clock() {
            @Override
            public long nanoTime() {
              return millis.get() * MILLI;
            }

            @Override
            public String scale() {
              return "test";
            }

            @Override
            public long epochMillis() {
              return millis.get();
            }
          });

  private void send() throws IOException {
    brokerMonitor.take(ObservationJson.batch(ObservationJson.batch(observationCollector.take())));
  }

  private void calls(String service, int count, int failures, long time) {
    for (int i = 0; i < count; i++) {
      observer.called(service, null, time * MILLI, i >= failures);
    }
  }

  @Test
  void shouldTellMeansFailuresAndPercentilesByServiceAndClass() throws IOException {
    calls("sky", 98, 1, 100);
    observer.called("sky", "gold", 300 * MILLI, true);
    observer.called("sky", "unknown to the table", 100 * MILLI, true);
    send();

    List<ServiceQuality> all = brokerMonitor.services("sky");
    assertEquals(
        List.of("", "gold", "std"), all.stream().map(ServiceQuality::serviceClass).toList());
    ServiceQuality sky = all.getFirst();
    assertEquals(100, sky.total());
    assertEquals(0.102, sky.recent().mean(), 1e-9);
    assertEquals(0.99, sky.recent().reliability(), 1e-9);
    assertEquals(0.1, sky.percentiles().p50(), 0.002);
    assertEquals(0.3, all.get(1).percentiles().p99(), 0.004);
    assertEquals(0.002, sky.recent().meanError(), 1e-4);
    assertTrue(observationCollector.take().isEmpty(), "what was taken is not told again");
    assertTrue(brokerMonitor.service("sea").isEmpty());
  }

  @Test
  void shouldForgetByTimeWhereCallsAreManyAndByCallsWhereTheyAreFew() throws IOException {
    calls("fast", 4_000, 0, 100);
    calls("rare", 100, 0, 100);
    send();
    millis.addAndGet(5_000);
    calls("fast", 4_000, 0, 300);
    calls("rare", 100, 0, 300);
    send();

    assertEquals(
        (0.5 * 0.1 + 0.3) / 1.5, brokerMonitor.service("fast").orElseThrow().recent().mean(), 1e-9);
    assertEquals(0.2, brokerMonitor.service("rare").orElseThrow().recent().mean(), 1e-9);
    millis.addAndGet(3_600_000);
    calls("rare", 150, 0, 300);
    send();
    CallStatistics rare = brokerMonitor.service("rare").orElseThrow().recent();
    assertEquals(250, rare.count(), 1e-9);
    assertEquals(0.26, rare.mean(), 1e-9);
  }

  @Test
  void shouldTellArrivalsLevelsAndVisitsOfAClass() throws IOException {
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < 10; i++) {
        observer.begun("gold");
        observer.invoked("flights", "gold");
        if (i < 3) {
          observer.invoked("hotel", "gold");
        }
        observer.ended("gold", 100 + second, i > 0);
      }
      send();
      millis.addAndGet(1_000);
    }

    ClassStatistics gold = brokerMonitor.serviceClass("gold").orElseThrow();
    assertEquals(10, gold.arrivals(), 0.2);
    assertEquals(1, gold.visited().visits().getOrDefault("flights", 0.0), 1e-9);
    assertEquals(0.3, gold.visited().visits().getOrDefault("hotel", 0.0), 1e-9);
    assertEquals(0.9, gold.levels().reliability(), 1e-9);
    assertEquals(0.001, gold.trend().slope(), 1e-6);
    assertEquals(0.160, gold.trend().value(), 1e-6);
    assertEquals(40, gold.trend().crossing(0.2).orElseThrow(), 1e-3);
    assertTrue(gold.trend().crossing(0.15).isEmpty(), "it is above already");
    assertTrue(brokerMonitor.serviceClass("std").isEmpty());
  }

  @Test
  void shouldNotBelieveATrendThatMayBeChance() {
    SlidingWindow slidingWindow = new SlidingWindow(60);
    for (int second = 0; second < 20; second++) {
      double time = second % 2 == 0 ? 0.1 : 0.2;
      slidingWindow.add(new CallStatistics(10, 0, 10 * time, 10 * time * time), second);
    }
    LatencyTrend latencyTrend = LatencyTrend.of(slidingWindow.seconds(20), 20);
    assertTrue(latencyTrend.slope() > 0);
    assertTrue(latencyTrend.crossing(1).isEmpty());
  }

  @Test
  void shouldBoundWhatItKeeps() throws IOException {
    for (int i = 0; i < ObservationCollector.MAX_CELLS; i++) {
      observer.called("s" + i, null, 1, true);
    }
    observer.begun("std");
    send();
    assertEquals(1, brokerMonitor.dropped(), "the class has one of the cells");
    assertTrue(brokerMonitor.service("s" + (ObservationCollector.MAX_CELLS - 2)).isPresent());
    assertFalse(brokerMonitor.service("s" + (ObservationCollector.MAX_CELLS - 1)).isPresent());
    brokerMonitor.retain(List.of("s0"), List.of());
    assertFalse(brokerMonitor.service("s1").isPresent());
    assertTrue(brokerMonitor.service("s0").isPresent());
    assertTrue(brokerMonitor.serviceClass("std").isEmpty());
  }

  @Test
  void shouldRefuseWhatIsNoBatch() {
    for (String wrong :
        List.of(
            "{",
            "{\"services\": [{\"service\": \"a\", \"tally\": [1, 0, -1, 0]}]}",
            "{\"services\": [{\"service\": \"a\", \"tally\": [1, 0, 1, 1], \"micros\":"
                + " \"AAAA\"}]}")) {
      assertThrows(IOException.class, () -> ObservationJson.batch(wrong), wrong);
    }
  }
}
