package dev.pinion.handlers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Metric;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import dev.pinion.handlers.run.CallerRunsWorkers;
import dev.pinion.handlers.run.Chain;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Counters of chains, as text. */
class HandlerMetricsTest {
  private static final class Failing implements Handler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING.mandatory();
    }

    @Override
    public Verdict handle(View message) throws Exception {
      throw new Exception("always");
    }
  }

  private static Chain chain(String name) {
    Chain chain =
        new Chain(
            ChainPlan.inOrder(name, List.of(Step.of("bad", new Failing())), ChainOptions.DEFAULT),
            new CallerRunsWorkers(Clock.system()),
            EngineLimits.defaults());
    Message message =
        Message.of(new MessageId(1, 1), Point.REQUEST_IN, Map.of(), Body.of(Payload.NULL));
    chain.enter(message, "", (context, outcome) -> {});
    return chain;
  }

  private static String text(Map<String, Chain> chains, List<Metric> more) {
    MetricFamilies families = new MetricFamilies();
    HandlerMetrics.add(chains, more, 1, families);
    return families.text();
  }

  @Test
  void shouldTellOfChainsStepsAndPlaces() {
    List<Metric> more = List.of(Metric.gauge("pinion_zz", "More.", 2.5));

    String text = text(new TreeMap<>(Map.of("c", chain("c"))), more);

    assertTrue(text.contains("pinion_chain_entered_total{chain=\"c\"} 1.0\n"), text);
    assertTrue(text.contains("pinion_chain_under_way{chain=\"c\"} 0.0\n"), text);
    assertTrue(
        text.contains("pinion_handler_failures_total{chain=\"c\",handler=\"bad\"} 1.0\n"), text);
    assertTrue(
        text.contains("pinion_handler_stops_total{chain=\"c\",handler=\"bad\"} 1.0\n"), text);
    assertTrue(
        text.endsWith("# HELP pinion_zz More.\n# TYPE pinion_zz gauge\npinion_zz 2.5\n"), text);
    assertTrue(text.contains("pinion_chains_untold 0.0\n"), text);
  }

  @Test
  void shouldSayHowManyChainsFindNoRoom() {
    Map<String, Chain> chains = new TreeMap<>(Map.of("a", chain("a"), "b", chain("b")));

    String text = text(chains, List.of());

    assertTrue(text.contains("{chain=\"a\"}") && !text.contains("{chain=\"b\"}"), text);
    assertTrue(text.contains("pinion_chains_untold 1.0\n"), text);
    assertTrue(text.contains("pinion_chains 2.0\n"), text);
    MetricFamilies enough = new MetricFamilies();
    HandlerMetrics.add(chains, enough);
    assertFalse(enough.text().contains("untold 1"), enough.text());
    assertEquals("pinion_chains 0.0", text(Map.of(), List.of()).lines().toList().get(2));
  }
}
