package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.CompiledTasks.graph;
import static dev.pinion.core.kernel.CompiledTasks.listen;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.counters.ListenCounters;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An event for many: no duty cycle is longer because of it. */
class ManyListenersTest {
  private static final int MANY = 300;
  private static final int LOOP_STEPS = 2_000;

  @RegisterExtension
  final KernelHarness kernel = new KernelHarness(Map.of("expression.loopSteps", LOOP_STEPS));

  private ListenCounters counters() {
    return kernel.kernel().counters().listening();
  }

  private void start(ProcessGraph graph) {
    for (int i = 0; i < MANY; i++) {
      kernel.start(graph, PostedEvents.json("{}"));
    }
  }

  /** Feeds an event and runs one duty cycle; returns how many have received it. */
  private long matchesOfOneCycle() {
    kernel.events.post("started", "1");
    boolean _ = kernel.events.feed();
    kernel.cycle();
    return counters().matches();
  }

  @Test
  void shouldShareOutAnEventOverDutyCycles() {
    start(listen("{one: {with: {type: started}}}"));
    long first = matchesOfOneCycle();
    assertTrue(first > 0 && first < MANY / 2, "in the first duty cycle: " + first);
    kernel.settle();
    assertEquals(MANY, counters().matches());
    assertEquals(0, counters().listeners());
  }

  /** What instances do with it counts as well. */
  @Test
  void shouldCountTheTurnsThatFollow() {
    start(
        graph(
            """
              - hear: {listen: {to: {one: {with: {type: started}}}}}
              - work: {set: {n: '${ [range(100)] | length }'}}
            """));
    long first = matchesOfOneCycle();
    assertTrue(first > 0 && first <= LOOP_STEPS / 100, "in the first duty cycle: " + first);
    kernel.settle();
    assertEquals(MANY, counters().matches());
  }
}
