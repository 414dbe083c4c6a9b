package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.constant;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.map;
import static dev.pinion.core.kernel.Values.numbers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every limit of an instance and of a kernel, at its edge. */
class LimitsTest {
  private static final int KIB = 1 << 10;

  @RegisterExtension
  final KernelHarness harness =
      new KernelHarness(
          Map.ofEntries(
              Map.entry("instance.maxSteps", 10),
              Map.entry("instance.maxEvents", 4),
              Map.entry("instance.maxFanOut", 4),
              Map.entry("instance.maxActivities", 6),
              Map.entry("instance.maxItems", 5),
              Map.entry("instance.maxPayloadBytes", KIB),
              Map.entry("instance.maxWaiters", 2),
              Map.entry("kernel.maxInstances", 3),
              Map.entry("kernel.maxHeldBytes", 16 * KIB),
              Map.entry("kernel.maxEnded", 2),
              Map.entry("kernel.maxEndedBytes", 2 * KIB),
              Map.entry("kernel.maxCalls", 2),
              Map.entry("json.maxDepth", 8),
              Map.entry("expression.maxDepth", 16)));

  private void assertExceeded(String limit, InstanceId id) {
    WorkflowError error = harness.error(id);
    assertEquals(ErrorType.RUNTIME.uri(), error.type());
    String detail = Objects.requireNonNull(error.detail());
    assertTrue(detail.contains(limit), () -> "expected " + limit + " in: " + detail);
  }

  private static Payload text(int length) {
    return Payload.of("x".repeat(length));
  }

  @Test
  void shouldBoundSteps() {
    assertEquals(
        InstanceState.COMPLETED,
        harness.state(
            harness.start(graph(loop("l", numbers(3), block("b", nothing("n"), nothing("m")))))));

    InstanceId id = harness.start(graph(nothing("a"), nothing("b").then("a")));

    assertExceeded("instance.maxSteps", id);
    assertEquals(10 + 10, harness.entered.size());
  }

  @Test
  void shouldNotLetATryHandleTheStepsOfItsInstance() {
    assertExceeded(
        "instance.maxSteps",
        harness.start(
            graph(attempt("t", handler().run(set("h", 1)), nothing("a"), nothing("b").then("a")))));
  }

  @Test
  void shouldBoundEvents() {
    ProcessGraph graph = graph(call("a"), call("b"), call("c"), call("d"), call("e"));
    InstanceId id = harness.start(graph);
    for (String task : List.of("a", "b", "c", "d")) {
      harness.answer(task, Payload.NULL);
      assertEquals(InstanceState.RUNNING, harness.state(id));
    }
    harness.answer("e", Payload.NULL);

    assertExceeded("instance.maxEvents", id);
  }

  @Test
  void shouldCancelAnInstanceThatMayHaveNoFurtherEvent() {
    InstanceId id = harness.start(graph(call("a"), call("b"), call("c"), call("d"), call("e")));
    for (String task : List.of("a", "b", "c", "d")) {
      harness.answer(task, Payload.NULL);
    }

    assertInstanceOf(Reply.Controlled.class, harness.cancel(id));
  }

  @Test
  void shouldBoundTheItemsOfAParallelLoop() {
    assertEquals(json("[1,1,1,1]"), harness.run(graph(parallel("p", 1, numbers(4), set("s", 1)))));
    assertExceeded(
        "instance.maxFanOut", harness.start(graph(parallel("p", 1, numbers(5), set("s", 1)))));
  }

  @Test
  void shouldBoundTheBranchesOfAFork() {
    assertExceeded(
        "instance.maxFanOut",
        harness.start(
            graph(
                fork("f", nothing("a"), nothing("b"), nothing("c"), nothing("d"), nothing("e")))));
  }

  @Test
  void shouldLetATryHandleAFanOutThatIsTooWide() {
    assertEquals(
        json("7"),
        harness.run(
            graph(
                attempt(
                    "t", handler().run(set("h", 7)), parallel("p", 1, numbers(5), nothing("n"))))));
  }

  @Test
  void shouldBoundActivities() {
    // given the root, the parallel loop and its four items
    InstanceId id =
        harness.start(graph(parallel("p", 0, numbers(4), pause("w", Duration.ofDays(1)))));
    assertEquals(InstanceState.WAITING, harness.state(id));

    assertExceeded(
        "instance.maxActivities",
        harness.start(
            graph(block("b", parallel("p", 0, numbers(4), pause("w", Duration.ofDays(1)))))));
    assertEquals(4, harness.kernel().router().timers().size());
  }

  @Test
  void shouldBoundTheItemsOfALoop() {
    assertEquals(json("1"), harness.run(graph(loop("l", numbers(5), set("s", 1)))));
    assertExceeded("instance.maxItems", harness.start(graph(loop("l", numbers(6), set("s", 1)))));
  }

  @Test
  void shouldBoundTheSizeOfAValue() {
    assertEquals(text(KIB - 2), harness.run(graph(set("s", constant(text(KIB - 2))))));

    Payload large = text(KIB - 1);
    for (TaskSpec task :
        List.of(
            set("s", constant(large)),
            nothing("n").from(constant(large)),
            nothing("n").as(constant(large)),
            nothing("n").export(constant(large)),
            loop("l", constant(List.of(text(KIB / 2), text(KIB / 2))), nothing("n")),
            parallel("p", 1, constant(List.of(large)), nothing("n")),
            call("c").from(constant(large)))) {
      assertExceeded("instance.maxPayloadBytes", harness.start(graph(task)));
    }
  }

  @Test
  void shouldBoundWhatForksJoin() {
    // given branches whose outputs each are half as large as a value may be
    TaskSpec fork = fork("f", set("a", constant(text(KIB / 2))), set("b", constant(text(KIB / 2))));

    assertExceeded("instance.maxPayloadBytes", harness.start(graph(fork)));
  }

  @Test
  void shouldStopALoopThatDoublesItsValue() {
    // given a loop that joins its value with itself in every iteration
    KernelHarness wide = new KernelHarness();
    TaskSpec fork = fork("f", nothing("a"), nothing("b"));

    WorkflowError error =
        wide.error(wide.start(graph(loop("l", numbers(200), fork)), Payload.of("x")));

    assertTrue(
        Objects.requireNonNull(error.detail()).contains("instance.maxPayloadBytes"),
        error::toString);
  }

  @Test
  void shouldStopALoopThatNestsItsValue() {
    KernelHarness wide = new KernelHarness();

    WorkflowError error =
        wide.error(wide.start(graph(loop("l", numbers(5_000), fork("f", nothing("a"))))));

    assertTrue(
        Objects.requireNonNull(error.detail()).contains("expression.maxDepth"), error::toString);
  }

  @Test
  void shouldBoundTheDepthOfAValue() {
    Payload value = Payload.NULL;
    for (int i = 0; i < 16; i++) {
      value = Payload.array(List.of(value));
    }
    Payload deep = value;

    assertEquals(deep, harness.run(graph(set("s", constant(deep)))));
    assertExceeded(
        "expression.maxDepth",
        harness.start(graph(set("s", map(input -> Payload.array(List.of(deep)))))));
  }

  @Test
  void shouldRefuseMoreInstances() {
    ProcessGraph graph = graph(pause("w", Duration.ofDays(1)));
    InstanceId first = harness.start(graph);
    harness.start(graph);
    harness.start(graph);

    long request = harness.offerStart(0, graph, Payload.NULL, true);
    harness.settle();

    assertEquals(new Reply.LimitReached("kernel.maxInstances"), harness.reply(request));
    assertEquals(1, harness.kernel().counters().refused());
    harness.cancel(first);
    harness.start(graph);
  }

  @Test
  void shouldRefuseStartsWhileTooMuchIsHeld() {
    harness.cold.full = true;
    ProcessGraph graph = graph(pause("w", Duration.ofDays(1)));
    InstanceId first = harness.start(graph, text(16 * KIB));

    long request = harness.offerStart(0, graph, Payload.NULL, true);
    harness.settle();

    assertEquals(new Reply.LimitReached("kernel.maxHeldBytes"), harness.reply(request));
    harness.cancel(first);
    harness.start(graph);
  }

  @Test
  void shouldFaultAnInstanceThatMakesItTwiceTooMuch() {
    ProcessGraph graph =
        graph(call("c").from(constant(Payload.NULL)), pause("w", Duration.ofDays(1)));
    harness.start(graph, text(4 * KIB - 100));
    InstanceId second = harness.accepted(offered(graph));

    harness.answer(harness.calls.get(1), text(16 * KIB));

    assertExceeded("kernel.maxHeldBytes", second);
  }

  private long offered(ProcessGraph graph) {
    long request = harness.offerStart(0, graph, Payload.NULL, true);
    harness.settle();
    return request;
  }

  @Test
  void shouldForgetTheOldestThatEnded() {
    List<InstanceId> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ids.add(harness.start(graph(set("s", i))));
    }

    long oldest = harness.offerGet(ids.get(0), true);
    harness.settle();

    assertInstanceOf(Reply.Evicted.class, harness.reply(oldest));
    assertEquals(json("1"), harness.output(ids.get(1)));
  }

  @Test
  void shouldAnswerFurtherWaitersAtOnce() {
    InstanceId id = harness.start(graph(call("c")));
    long second = harness.offerGet(id, true);
    long third = harness.offerGet(id, true);
    harness.settle();

    assertTrue(harness.replies(second).isEmpty(), "waits");
    assertInstanceOf(Reply.InstanceFound.class, harness.reply(third));
    harness.answer("c", Payload.NULL);
    assertInstanceOf(Reply.Ended.class, harness.reply(second));
  }

  @Test
  void shouldMakeOnlySoManyCallsAtATime() {
    harness.journal.withoutComparison(); // a replay has no permits
    InstanceId id = harness.start(graph(parallel("p", 0, numbers(4), call("c"))));
    assertEquals(2, harness.calls.size());
    assertEquals(2, harness.kernel().router().calls().waiting());

    for (int i = 0; i < 4; i++) {
      assertTrue(harness.calls.size() <= 2, "two at a time");
      harness.answer(harness.calls.get(0), Payload.of(i));
    }

    assertEquals(json("[0,1,2,3]"), harness.output(id));
  }

  @Test
  void shouldNotKeepCallsThatNobodyWantsAnyMore() {
    harness.journal.withoutComparison();
    // given both permits taken, and an instance whose attempts time out before they get one
    harness.start(graph(fork("f", call("slow"), call("slower"))));
    CatchSpec policy = handler().retry(3).attemptTimeout(Duration.ofSeconds(1));
    InstanceId id = harness.start(graph(attempt("t", policy, call("c"))));
    for (int i = 0; i < 3; i++) {
      harness.advance(Duration.ofMillis(1_010));
      assertTrue(
          harness.kernel().router().calls().waiting() <= 2,
          "waiting: " + harness.kernel().router().calls().waiting());
    }
    harness.advance(Duration.ofSeconds(2));

    assertEquals(408, harness.error(id).status());
    assertTrue(harness.aborts.isEmpty(), "an unsent call is not aborted");
    assertEquals(0, harness.kernel().router().calls().waiting());
  }
}
