package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.numbers;
import static dev.pinion.core.kernel.Values.plus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.InstanceState;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Long and wide shapes: linear in work and memory, and without deep recursion. */
class ScaleTest {
  @RegisterExtension
  final KernelHarness harness =
      new KernelHarness(
          Map.of(
              "instance.maxSteps", 10_000_000,
              "instance.maxItems", 1_000_000,
              "instance.maxEvents", 10_000_000,
              "instance.maxPayloadBytes", 64 << 20,
              "kernel.maxCalls", 20_000));

  @BeforeEach
  void tooLargeToWriteDown() {
    harness.journal.withoutComparison();
  }

  private static long allocatedBytes() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadAllocatedBytes();
  }

  private long allocatedBy(Runnable work) {
    long before = allocatedBytes();
    work.run();
    return allocatedBytes() - before;
  }

  private void runLoop(int iterations) {
    assertEquals(
        Payload.of(iterations),
        harness.run(graph(loop("l", numbers(iterations), set("s", plus(1)))), Payload.of(0)));
  }

  @Test
  void shouldLoopInLinearMemory() {
    runLoop(1_000); // classes are loaded
    long few = allocatedBy(() -> runLoop(10_000));
    long many = allocatedBy(() -> runLoop(100_000));

    assertTrue(many < 13 * few, "bytes for 10,000: " + few + ", for 100,000: " + many);
  }

  @Test
  void shouldHoldNoMoreInALongLoopThanInAShortOne() {
    InstanceId id =
        harness.start(graph(loop("l", numbers(1_000), call("c"))), Payload.of("x".repeat(100)));
    long first = 0;
    for (int i = 0; i < 999; i++) {
      harness.answer("c", Payload.of("y".repeat(100)));
      first = i == 0 ? harness.kernel().memoryAccount().heapBytes() : first;
      assertEquals(first, harness.kernel().memoryAccount().heapBytes(), "iteration " + i);
    }
    assertEquals(InstanceState.RUNNING, harness.state(id));
  }

  private void runParallel(int width) {
    InstanceId id = harness.start(graph(parallel("p", 0, numbers(width), call("c"))));
    assertEquals(width, harness.calls.size());
    for (int i = 0; i < width; i++) {
      harness.report(harness.calls.get(0), new CallOutcome.Succeeded(Payload.of(i)));
      harness.cycle();
    }
    assertEquals(width, harness.output(id).json().size());
    assertEquals(width - 1, harness.output(id).json().get(width - 1).asInt());
  }

  @Test
  void shouldRunWideLoopsInLinearMemory() {
    runParallel(100);
    long narrow = allocatedBy(() -> runParallel(1_000));
    long wide = allocatedBy(() -> runParallel(10_000));

    assertTrue(wide < 13 * narrow, "bytes for 1,000: " + narrow + ", for 10,000: " + wide);
  }

  @Test
  void shouldMergeManyContextsInLinearMemory() {
    runMerge(100);
    long narrow = allocatedBy(() -> runMerge(1_000));
    long wide = allocatedBy(() -> runMerge(10_000));

    assertTrue(wide < 13 * narrow, "bytes for 1,000: " + narrow + ", for 10,000: " + wide);
  }

  /** Runs items that each put a separate member into the context. */
  private void runMerge(int width) {
    ProcessGraph graph =
        graph(
            "t",
            Values.constant(Payload.EMPTY_OBJECT),
            Values.variable("context"),
            null,
            parallel(
                "p",
                0,
                numbers(width),
                nothing("n")
                    .export(
                        (input, scope, budget) ->
                            Payload.object(Map.of("k" + scope.variable("index"), Payload.of(1))))));

    assertEquals(width, harness.run(graph).json().size());
  }

  /** Builds the graph on a large stack, because only the builder is recursive. */
  private static ProcessGraph onLargeStack(TaskSpec task) throws Exception {
    FutureTask<ProcessGraph> building = new FutureTask<>(() -> graph(task));
    Thread thread = new Thread(null, building, "builder", 64 << 20);
    thread.start();
    return building.get();
  }

  @Test
  void shouldRunAndCancelDeeplyNestedTasks() throws Exception {
    TaskSpec task = call("c").timeout(Duration.ofDays(1));
    for (int i = 0; i < 700; i++) {
      task = block("b" + i, task).timeout(Duration.ofDays(1));
    }
    ProcessGraph graph = onLargeStack(task);
    InstanceId answered = harness.start(graph);
    harness.answer("c", Payload.of(1));
    InstanceId cancelled = harness.start(graph);
    harness.cancel(cancelled);
    harness.fail("c", 500);
    InstanceId failed = harness.start(graph);
    harness.fail("c", 500);

    assertEquals(InstanceState.COMPLETED, harness.state(answered));
    assertEquals(InstanceState.CANCELLED, harness.state(cancelled));
    assertEquals(500, harness.error(failed).status());
    assertEquals(0, harness.kernel().router().timers().size());
  }

  @Test
  @Tag("long")
  void shouldLoopAMillionTimes() {
    runLoop(1_000_000);
  }

  @Test
  @Tag("long")
  void shouldLetManyInstancesSleep() {
    ProcessGraph graph = graph(pause("w", Duration.ofHours(1)));
    for (int i = 0; i < 100_000; i++) {
      harness.offerStart(0, graph, Payload.NULL, false);
      if (i % 1_000 == 0) {
        harness.settle();
      }
    }
    harness.settle();
    assertEquals(100_000, harness.kernel().router().timers().size());
    harness.advance(Duration.ofHours(2));

    assertEquals(100_000, harness.kernel().counters().completed());
  }
}
