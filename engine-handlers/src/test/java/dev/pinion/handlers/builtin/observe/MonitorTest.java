package dev.pinion.handlers.builtin.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.HandlerMetrics;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Metered;
import dev.pinion.handlers.api.Metric;
import dev.pinion.handlers.builtin.HandlerTrial;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.run.CallerRunsWorkers;
import dev.pinion.handlers.run.Chain;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Statistics of messages. */
class MonitorTest {
  private static final String SETTINGS = "{\"period\": \"PT10S\", \"maxClients\": 2}";

  private final HandlerTrial.Hands clock = new HandlerTrial.Hands();

  private static double value(Handler monitor, String name) {
    return ((Metered) monitor)
        .metrics().stream()
            .filter(each -> each.name().equals("pinion_monitor_" + name))
            .filter(each -> "request-in".equals(each.labels().get("point")))
            .mapToDouble(Metric::value)
            .sum();
  }

  private static void see(Handler monitor, String client, String json) throws Exception {
    HandlerTrial.after(
        monitor, HandlerTrial.message(Map.of("client.address", client), HandlerTrial.json(json)));
  }

  @Test
  void shouldCountMessagesAndSizes() throws Exception {
    try (Handler monitor = HandlerTrial.handler(new MonitorFactory(clock), SETTINGS)) {
      see(monitor, "a", "[1,2,3]");
      see(monitor, "a", "[]");
      assertEquals(2, value(monitor, "messages_total"));
      assertEquals(9, value(monitor, "bytes_total"));
      assertEquals(7, value(monitor, "largest_bytes"));
      assertEquals(0, value(monitor, "rate"), "no period is whole");
      clock.advance(10_000);
      assertEquals(0.2, value(monitor, "rate"));
      assertEquals(1, value(monitor, "clients"));
      clock.advance(20_000);
      assertEquals(0, value(monitor, "rate"), "the last period was empty");
      assertEquals(0, value(monitor, "clients"));
      assertEquals(2, value(monitor, "messages_total"));
    }
  }

  @Test
  void shouldCountSoManyClientsOnly() throws Exception {
    try (Handler monitor = HandlerTrial.handler(new MonitorFactory(clock), SETTINGS)) {
      for (String client : new String[] {"a", "b", "a", ""}) {
        see(monitor, client, "1");
      }
      clock.advance(10_000);
      assertEquals(2, value(monitor, "clients"));
      assertEquals(0, value(monitor, "clients_beyond_bound"));
      for (String client : new String[] {"a", "b", "c"}) {
        see(monitor, client, "1");
      }
      clock.advance(10_000);
      assertEquals(2, value(monitor, "clients"));
      assertEquals(1, value(monitor, "clients_beyond_bound"));
    }
  }

  @Test
  void shouldBeReadAsTextOfPrometheus() throws Exception {
    EngineLimits limits = EngineLimits.defaults();
    String document =
        "chains: [{name: in, handlers: [{use: monitor}, {use: monitor, name: \"q\\\"\\\\\"}]}]";
    ChainReader reader =
        new ChainReader(HandlerKinds.of(List.of(new MonitorFactory(clock))), limits, null);
    try (Chain chain =
        new Chain(
            reader.read(document).getFirst().plan(),
            new CallerRunsWorkers(Clock.system()),
            limits)) {
      MetricFamilies families = new MetricFamilies();
      HandlerMetrics.add(Map.of("in", chain), families);
      String text = families.text();
      assertTrue(
          text.contains(
              "# TYPE pinion_monitor_messages_total counter\n"
                  + "pinion_monitor_messages_total{chain=\"in\",handler=\"monitor\",point="),
          text);
      assertTrue(text.contains("handler=\"q\\\"\\\\\",point=\"request-in\"} 0.0\n"), text);
      assertEquals(
          6, text.lines().filter(line -> line.startsWith("# HELP pinion_monitor_")).count());
      assertEquals(
          6 * 4 * 2, text.lines().filter(line -> line.startsWith("pinion_monitor_")).count());
    }
  }

  @Test
  void shouldRefuseMetricsThatNobodyCanRead() {
    assertThrows(IllegalArgumentException.class, () -> Metric.counter("a", "A.", 1));
    assertThrows(IllegalArgumentException.class, () -> Metric.gauge("a_total", "A.", 1));
    assertThrows(IllegalArgumentException.class, () -> Metric.gauge("A", "A.", 1));
    Metric metric = Metric.gauge("a", "A.", 1);
    assertThrows(IllegalArgumentException.class, () -> metric.with(Map.of("chain", "x")));
  }

  @Test
  void shouldSayWhatIsWrongWithSettings() throws Exception {
    String problems =
        HandlerTrial.problems(new MonitorFactory(clock), "{\"maxClients\": 0, \"client\": \"*\"}");
    assertTrue(problems.contains("from 1 to 1000000"), problems);
    assertTrue(problems.contains("expected the name of a property"), problems);
  }
}
