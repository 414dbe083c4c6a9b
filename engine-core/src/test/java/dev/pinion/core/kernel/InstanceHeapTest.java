package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.CompiledTasks.listen;
import static dev.pinion.core.kernel.RecordedSchedules.every;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.named;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.pause;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.Payload;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Bytes of the heap, after a collection, for each of many that wait for long. */
class InstanceHeapTest {
  private static final int MANY = 20_000;
  private static final int MILLION = 1_000_000;
  private static final int HOUR_SECONDS = 3_600;

  /** Heap that a million of them and their definitions may need. */
  private static final long LARGE_HEAP = 4L << 30;

  /** With an input of 100 bytes. */
  private static final int MOST_FOR_A_TIMER = 1_800;

  private static final int MOST_FOR_A_LISTENER = 2_048;
  private static final int MOST_FOR_A_SCHEDULE = 2_048;

  /** Begins of schedules are told at this level. */
  private final Logger log = (Logger) LoggerFactory.getLogger(Schedules.class);

  private final BareKernel kernel = new BareKernel(Map.of("kernel.maxInstances", 2 * MILLION));

  @BeforeEach
  void beQuiet() {
    log.setLevel(Level.WARN);
  }

  @AfterEach
  void tellAgain() {
    log.setLevel(null);
  }

  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Requires that what work leaves behind takes few bytes for each instance. */
  private void assertEach(String what, int most, int count, Runnable work) {
    kernel.settle();
    long before = usedHeap();
    work.run();
    long each = (usedHeap() - before) / count;

    System.out.println("bytes of the heap for " + what + ": " + each);
    assertEquals(count, kernel.kernel().instances().size());
    assertTrue(each <= most, "bytes for " + what + ": " + each);
  }

  private void startAll(int count, ProcessGraph graph, IntFunction<Payload> input) {
    for (int i = 0; i < count; i++) {
      kernel.start(graph, input.apply(i));
    }
  }

  private void holdTimers(int count) {
    ProcessGraph waiting = graph(pause("w", Duration.ofHours(1_000)));
    assertEach(
        "a timer",
        MOST_FOR_A_TIMER,
        count,
        () ->
            startAll(
                count, waiting, i -> Payload.object(Map.of("text", Payload.of("x".repeat(89))))));
    assertEquals(count, kernel.kernel().router().timers().size());
  }

  /** Schedules, without their definitions, which are deployed before. */
  private void holdSchedules(int count) {
    Map<DefinitionName, ProcessGraph> schedules = HashMap.newHashMap(count);
    ProcessGraph task = named("job", nothing("n"));
    for (int i = 0; i < count; i++) {
      ProcessGraph hourly = every(HOUR_SECONDS, renamed(task, "job-" + i));
      schedules.put(
          DefinitionName.of(hourly.key()), Objects.requireNonNull(hourly.schedule(), "a schedule"));
    }
    assertEach("a schedule", MOST_FOR_A_SCHEDULE, count, () -> kernel.schedule(schedules));
    assertEquals(count, kernel.kernel().router().timers().size());
  }

  /** The same tasks under another name. */
  private static ProcessGraph renamed(ProcessGraph graph, String name) {
    return new ProcessGraph(
        new ProcessGraph.DefinitionContent(
            new DefinitionKey(graph.key().namespace(), name, graph.key().version()),
            graph.definition(),
            graph.fingerprint()),
        graph.tasks(),
        graph.root(),
        graph.durability(),
        null);
  }

  @Test
  void shouldTakeLittleForATimer() {
    holdTimers(MANY);
  }

  @Test
  void shouldTakeLittleForASchedule() {
    holdSchedules(MANY);
  }

  @Test
  void shouldTakeLittleForAListener() {
    ProcessGraph listening =
        listen(
            "{one: {with: {type: paid},"
                + " correlate: {order: {from: .data.order, expect: .order}}}}");
    assertEach(
        "a listener",
        MOST_FOR_A_LISTENER,
        MANY,
        () ->
            startAll(
                MANY, listening, i -> Payload.object(Map.of("order", Payload.of("order-" + i)))));
    assertEquals(MANY, kernel.kernel().counters().listening().listeners());
  }

  @Test
  @Tag("long")
  void shouldHoldAMillionTimers() {
    assumeTrue(Runtime.getRuntime().maxMemory() >= LARGE_HEAP, "a heap of 4 GiB");
    holdTimers(MILLION);
  }

  @Test
  @Tag("long")
  void shouldHoldAMillionSchedules() {
    assumeTrue(Runtime.getRuntime().maxMemory() >= LARGE_HEAP, "a heap of 4 GiB");
    holdSchedules(MILLION);
  }
}
