package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.LinearWork.allocatedBy;
import static dev.pinion.core.kernel.LinearWork.assertLinear;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.race;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.numbers;
import static dev.pinion.core.kernel.Values.plus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time and memory of the kernel alone for long, wide and heavy instances. */
class LongShapesTest {
  private static final Payload ZERO = Payload.of(0);
  private static final int TEN_MEGABYTES = 10_000_000;

  private final BareKernel kernel =
      new BareKernel(
          Map.of(
              "instance.maxSteps", 100_000_000,
              "instance.maxEvents", 100_000_000,
              "instance.maxItems", 2_000_000,
              "instance.maxFanOut", 100_000,
              "instance.maxActivities", 1_000_000,
              "instance.maxPayloadBytes", 64 << 20,
              "json.maxHeapBytes", 1 << 30,
              "expression.maxSteps", 100_000_000,
              "kernel.maxCalls", 200_000));

  private static TaskSpec[] tasks(int count, IntFunction<TaskSpec> task) {
    return IntStream.range(0, count).mapToObj(task).toArray(TaskSpec[]::new);
  }

  private static ProcessGraph sequence(int length) {
    return graph(tasks(length, i -> set("s" + i, plus(1))));
  }

  private static ProcessGraph looping(int iterations) {
    return graph(loop("l", numbers(iterations), set("s", plus(1))));
  }

  private static ProcessGraph forking(int width) {
    return graph(fork("f", tasks(width, i -> call("c" + i))));
  }

  private static ProcessGraph racing(int width) {
    return graph(race("r", tasks(width, i -> call("c" + i))));
  }

  private static ProcessGraph spreading(int width, int concurrency) {
    return graph(parallel("p", concurrency, numbers(width), set("s", plus(1))));
  }

  private void assertCounts(int count, ProcessGraph graph) {
    assertEquals(Payload.of(count), kernel.run(graph, ZERO));
  }

  private void assertResults(int count, ProcessGraph graph) {
    assertEquals(count, kernel.run(graph, ZERO).json().size());
  }

  @Test
  void shouldRunLongSequencesInLinearTime() {
    ProcessGraph few = sequence(1_000);
    ProcessGraph many = sequence(10_000);

    assertLinear(10, () -> assertCounts(1_000, few), () -> assertCounts(10_000, many));
  }

  @Test
  void shouldLoopInLinearTime() {
    ProcessGraph few = looping(10_000);
    ProcessGraph many = looping(100_000);

    assertLinear(10, () -> assertCounts(10_000, few), () -> assertCounts(100_000, many));
  }

  @Test
  @Tag("long")
  void shouldLoopAMillionTimesInLinearTime() {
    ProcessGraph few = looping(100_000);
    ProcessGraph many = looping(1_000_000);

    assertLinear(10, () -> assertCounts(100_000, few), () -> assertCounts(1_000_000, many));
  }

  /** The list comes from an expression, within limits that were raised for it. */
  @Test
  @Tag("long")
  void shouldLoopAMillionTimesOverAListThatAnExpressionMakes() {
    ProcessGraph graph =
        CompiledTasks.graph(
            kernel.limits(),
            """
              - count:
                  for: {each: n, in: '${ [range(1000000)] }'}
                  do:
                    - add: {set: {sum: '${ .sum + $n }'}}
            """);

    assertEquals(Values.json("{'sum':499999500000}"), kernel.run(graph, Values.json("{'sum':0}")));
  }

  @Test
  void shouldForkInLinearTime() {
    ProcessGraph narrow = forking(100);
    ProcessGraph wide = forking(1_000);

    assertLinear(10, () -> assertResults(100, narrow), () -> assertResults(1_000, wide));
  }

  @Test
  void shouldEndARaceInLinearTime() {
    ProcessGraph narrow = racing(100);
    ProcessGraph wide = racing(1_000);

    assertLinear(
        10,
        () -> assertEquals(Payload.TRUE, kernel.run(narrow, ZERO)),
        () -> assertEquals(Payload.TRUE, kernel.run(wide, ZERO)));
  }

  /** All items at once, or a few at a time. */
  @ParameterizedTest
  @ValueSource(ints = {0, 8})
  void shouldRunManyItemsInLinearTime(int concurrency) {
    ProcessGraph narrow = spreading(10_000, concurrency);
    ProcessGraph wide = spreading(100_000, concurrency);

    assertLinear(10, () -> assertResults(10_000, narrow), () -> assertResults(100_000, wide));
  }

  /** What is long or wide needs no deeper stack. */
  @Test
  void shouldRunOnASmallStack() throws Exception {
    List<ProcessGraph> graphs =
        List.of(sequence(10_000), looping(100_000), forking(1_000), spreading(100_000, 0));
    FutureTask<Integer> runs =
        new FutureTask<>(() -> graphs.stream().mapToInt(this::sizeOfOutput).sum());
    Thread thread = new Thread(null, runs, "small stack", 256 << 10);
    thread.start();

    assertEquals(10_000 + 100_000 + 1_000 + 100_000, runs.get());
  }

  private int sizeOfOutput(ProcessGraph graph) {
    Payload output = kernel.run(graph, ZERO);
    return output.json().isInt() ? output.json().intValue() : output.json().size();
  }

  /** A thousand tasks that pass ten megabytes on make no copy of them. */
  @Test
  void shouldPassLargeValuesOnUncopied() {
    Payload large = Payload.of("x".repeat(TEN_MEGABYTES));
    ProcessGraph few = graph(tasks(10, i -> nothing("n" + i)));
    ProcessGraph many = graph(tasks(1_010, i -> nothing("n" + i)));
    assertEquals(large, kernel.run(many, large));

    long bytes =
        allocatedBy(() -> kernel.run(many, large)) - allocatedBy(() -> kernel.run(few, large));
    assertTrue(bytes < TEN_MEGABYTES, "bytes of a thousand tasks: " + bytes);
  }

  @Test
  void shouldWorkOnLargeValuesInLinearTime() {
    ProcessGraph graph =
        CompiledTasks.graph(kernel.limits(), "  - count: {set: {n: '${ map(. + 1) | length }'}}\n");
    Payload small = tenByteNumbers(TEN_MEGABYTES / 100);
    Payload large = tenByteNumbers(TEN_MEGABYTES / 10);

    assertLinear(
        10, () -> assertLength(100_000, graph, small), () -> assertLength(1_000_000, graph, large));
  }

  private void assertLength(int expected, ProcessGraph graph, Payload input) {
    assertEquals(expected, kernel.run(graph, input).integer("n"));
  }

  /** Numbers of nine digits, each with a comma. */
  private static Payload tenByteNumbers(int count) {
    List<Payload> items = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      items.add(Payload.of(100_000_000 + i));
    }
    return Payload.array(items);
  }

  /** With the default limits: the list is as long as a loop's may be. */
  @Test
  void shouldStopALoopForItsOwnSteps() {
    BareKernel usual = new BareKernel(Map.of());
    int most = usual.limits().instance().maxItems();
    ProcessGraph graph =
        CompiledTasks.graph(
            """
              - count:
                  for: {each: n, in: '${ [range(MOST)] }'}
                  do:
                    - add: {set: {sum: '${ .sum + $n }'}}
            """
                .replace("MOST", Integer.toString(most)));

    WorkflowError error = usual.error(graph, Values.json("{'sum':0}"));
    String detail = String.valueOf(error.detail());
    assertTrue(detail.contains("instance.maxSteps"), detail);
  }
}
