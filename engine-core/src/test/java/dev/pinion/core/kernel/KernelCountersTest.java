package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.kernel.counters.DefinitionCounters;
import dev.pinion.core.kernel.counters.KernelCounters;
import dev.pinion.core.kernel.counters.TaskCounters;
import dev.pinion.core.metrics.Histogram;
import dev.pinion.core.metrics.LabelSlots;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KernelCountersTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private KernelCounters counters() {
    return harness.kernel().counters();
  }

  private Histogram duration(String kind) {
    return counters().tasks().duration(TaskCounters.KINDS.indexOf(kind));
  }

  @Test
  void shouldMeasureTasksByKind() {
    harness.start(graph(call("c"), set("s", 1), pause("w", Duration.ofSeconds(2))));
    assertEquals(1, counters().callsInFlight());
    harness.advance(Duration.ofMillis(70));
    harness.answer("c", json("1"));
    assertEquals(0, counters().callsInFlight());
    assertEquals(1, counters().timersPending());
    harness.advance(Duration.ofSeconds(3));

    assertEquals(70, duration("call").sum());
    assertEquals(1, duration("set").count());
    assertEquals(2_000, duration("wait").sum());
    assertEquals(3, counters().tasks().completed());
    assertEquals(0, counters().timersPending());
    assertEquals(1, counters().timerLateness().count());
  }

  @Test
  void shouldCountFailedAndCancelledTasks() {
    var failing = harness.start(graph(block("b", call("c"))));
    harness.fail("c", 500);
    var cancelled = harness.start(graph(pause("w", Duration.ofHours(1))));
    harness.cancel(cancelled);

    assertEquals(InstanceState.FAULTED, harness.state(failing));
    assertEquals(2, counters().tasks().failed(), "the call, and the block around it");
    assertEquals(1, counters().tasks().cancelled());
    assertEquals(1, counters().faulted());
    assertEquals(1, counters().cancelled());
  }

  @Test
  void shouldCountDefinitionsWithinABound() {
    LabelSlots names = new LabelSlots(1);
    DefinitionCounters all = new DefinitionCounters(names);
    DefinitionKey first = key("first", 1);
    DefinitionKey second = key("second", 1);

    all.onStarted(first);
    all.onStarted(second);
    all.onStarted(key("first", 2));
    all.onStarted(key("third", 1));
    all.onEnded(first, InstanceState.COMPLETED);
    all.onEnded(second, InstanceState.FAULTED);
    all.onEnded(second, InstanceState.CANCELLED);

    assertEquals("test/first", names.values().get(1));
    assertEquals(2, all.started(1), "of all its versions");
    assertEquals(2, all.started(0));
    assertEquals(1, all.completed(1));
    assertEquals(1, all.faulted(0));
    assertEquals(1, all.cancelled(0));
  }

  private static DefinitionKey key(String name, int version) {
    return new DefinitionKey("test", name, version + ".0.0");
  }
}
