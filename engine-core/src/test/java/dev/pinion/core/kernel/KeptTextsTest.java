package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.replay.RecoveredKernel;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Field fault 1: texts that instances hold beside their values are charged, and released however an
 * instance leaves: its tags, and errors that its tries handle.
 */
class KeptTextsTest {
  private static final int BOUND = 1 << 20;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Tags TAGS = labels(16, 255);
  private static final String DETAIL = "d".repeat(10_000);
  private static final WorkflowError ERROR =
      new WorkflowError("urn:e", 418, "title", DETAIL, "/do/0/t/try/0/r");

  /** Task whose retry keeps the error of the first attempt until the second one fails. */
  private static final TaskSpec DELAYED =
      attempt("t", handler().retry(1).delay(Node.Backoff.CONSTANT, HOUR), raising(DETAIL));

  /** Task whose output is the error that was caught an hour before. */
  private static final TaskSpec HANDLING =
      attempt(
          "t",
          handler()
              .run(
                  pause("w", HOUR),
                  set("s", (in, scope, budget) -> Objects.requireNonNull(scope.variable("error")))),
          raising(DETAIL));

  @RegisterExtension
  final KernelHarness harness = new KernelHarness(Map.of("kernel.maxHeldBytes", BOUND));

  private static Tags labels(int count, int chars) {
    Map<String, String> labels = new HashMap<>();
    for (int i = 0; i < count; i++) {
      labels.put((10 + i) + "n".repeat(chars - 2), "v".repeat(chars));
    }
    return new Tags("k".repeat(chars), labels);
  }

  private static TaskSpec raising(String detail) {
    return raise("r", (in, s, b) -> new WorkflowError("urn:e", 418, "title", detail, null));
  }

  private long offerStart(ProcessGraph graph, Tags tags) {
    harness.changeBack(graph);
    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    harness.offer(0, new Command.Start(graph.key(), 0, Payload.NULL, to, false, null, false, tags));
    harness.settle();
    return to.request();
  }

  private Instance start(ProcessGraph graph, Tags tags) {
    return instance(harness.accepted(offerStart(graph, tags)));
  }

  private Instance instance(InstanceId id) {
    return Objects.requireNonNull(harness.kernel().instances().running(id));
  }

  private static long fixedBytes(Instance instance) {
    return 600 + 250L * instance.activities();
  }

  static Stream<Arguments> waits() {
    return Stream.of(Arguments.of("delayed", DELAYED), Arguments.of("handling", HANDLING));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waits")
  void shouldChargeTagsAndErrors(String kind, TaskSpec task) {
    Instance instance = start(graph(task), TAGS);

    assertEquals(Payload.NULL.weight(), instance.heldBytes(), "no part of the state");
    assertEquals(ERROR.toPayload().heapBytes(), instance.errorBytes());
    assertEquals(instance.errorBytes(), instance.heapBytes());
    assertTrue(TAGS.heapBytes() > 2 * 33 * 255, "two bytes for a character");
    assertEquals(
        fixedBytes(instance) + instance.errorBytes() + TAGS.heapBytes(),
        harness.kernel().memoryAccount().heapBytes());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waits")
  void shouldGiveThemBackAtTheEnd(String kind, TaskSpec task) {
    InstanceId id = start(graph(task), TAGS).id();
    harness.advance(HOUR.plusSeconds(1));

    assertTrue(harness.view(id).state().isTerminal());
    assertEquals(0, harness.kernel().memoryAccount().heapBytes());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waits")
  void shouldGiveThemBackWhenCancelled(String kind, TaskSpec task) {
    harness.cancel(start(graph(fork("f", task, pause("p", HOUR))), TAGS).id());

    assertEquals(0, harness.kernel().memoryAccount().heapBytes());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waits")
  void shouldGiveThemBackWhenMovedAway(String kind, TaskSpec task) {
    start(graph(task), TAGS);
    harness
        .kernel()
        .releasePartitions(new PartitionRelease(BitSet.valueOf(new long[] {1}), () -> {}));
    harness.settle();

    assertEquals(0, harness.kernel().memoryAccount().heapBytes());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waits")
  void shouldChargeAndGiveBackTheSameAfterARecovery(String kind, TaskSpec task) {
    start(graph(task), TAGS);
    long held = harness.kernel().memoryAccount().heapBytes();
    List<JournalRecord> records = harness.journal.entries();

    RecoveredKernel replayed = new RecoveredKernel(harness, records, 1);
    RecoveredKernel restored = replayed.again(harness);
    for (RecoveredKernel each : List.of(replayed, restored)) {
      assertEquals(held, each.heldBytes());
      each.advance(HOUR.plusSeconds(1));
      assertEquals(0, each.heldBytes());
    }
  }

  @Test
  void shouldChargeTheErrorOfTheLastAttemptAlone() {
    TaskSpec task =
        attempt("t", handler().retry(9).delay(Node.Backoff.CONSTANT, HOUR), raising(DETAIL));
    Instance instance = start(graph(task), Tags.NONE);
    long first = instance.errorBytes();
    harness.advance(HOUR.plusSeconds(1));
    assertEquals(first, instance.errorBytes());
    assertEquals(first, instance.heapBytes());
  }

  @Test
  void shouldPackErrorsAndKeepThemAsTheyWere() {
    ProcessGraph graph = graph(HANDLING);
    List<InstanceId> ids = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ids.add(start(graph, labels(2, 20)).id());
    }
    assertNotNull(instance(ids.getFirst()).packedValues());
    assertTrue(100 * instance(ids.getFirst()).heapBytes() > BOUND);
    assertTrue(
        harness.kernel().memoryAccount().heapBytes() < BOUND,
        "held " + harness.kernel().memoryAccount().heapBytes());

    harness.advance(HOUR.plusSeconds(1));
    for (InstanceId id : ids) {
      assertEquals(ERROR.toPayload(), harness.output(id));
      assertEquals(labels(2, 20), harness.view(id).tags());
    }
    assertEquals(0, harness.kernel().memoryAccount().heapBytes());
  }

  @Test
  void shouldRefuseStartsWhenTagsFillTheHeapUntilOneHasEnded() {
    ProcessGraph graph = graph(pause("w", HOUR));
    List<InstanceId> ids = new ArrayList<>();
    Reply last = harness.reply(offerStart(graph, TAGS));
    while (last instanceof Reply.Accepted accepted && ids.size() < 1_000) {
      ids.add(accepted.id());
      last = harness.reply(offerStart(graph, TAGS));
    }
    assertEquals(new Reply.LimitReached("kernel.maxHeldBytes"), last);
    assertTrue(ids.size() < BOUND / TAGS.heapBytes() + 1, "started " + ids.size());

    harness.cancel(ids.getFirst());
    assertInstanceOf(Reply.Accepted.class, harness.reply(offerStart(graph, TAGS)));
  }

  @Test
  void shouldBoundOneErrorByName() {
    KernelHarness small = new KernelHarness(Map.of("instance.maxErrorBytes", 16 << 10));
    int frame = withDetail(0).toPayload().heapBytes();
    int fits = ((16 << 10) - frame) / 2;

    InstanceId within = small.start(graph(raising("d".repeat(fits))));
    assertEquals(fits, Objects.requireNonNull(small.error(within).detail()).length());
    InstanceId beyond = small.start(graph(raising("d".repeat(fits + 1))));
    String detail = Objects.requireNonNull(small.error(beyond).detail());
    assertTrue(detail.contains("instance.maxErrorBytes = 16384"), detail);
    assertEquals("/do/0/r", small.error(beyond).instance());
    small.finish();
  }

  private static WorkflowError withDetail(int chars) {
    return new WorkflowError("urn:e", 418, "title", "d".repeat(chars), "/do/0/r");
  }

  /** Faults an instance that alone holds too much, with the name of the limit. */
  @Test
  void shouldBoundTheErrorsOfAnInstanceTogether() {
    KernelHarness small = new KernelHarness(Map.of("json.maxHeapBytes", 64 << 10));
    TaskSpec[] tries = Stream.generate(() -> HANDLING).limit(4).toArray(TaskSpec[]::new);
    TaskSpec[] fewer = Stream.generate(() -> HANDLING).limit(2).toArray(TaskSpec[]::new);

    InstanceId within = small.start(graph(fork("f", fewer)));
    assertTrue(small.kernel().instances().size() == 1, "waits");
    InstanceId beyond = small.start(graph(fork("f", tries)));
    String detail = Objects.requireNonNull(small.error(beyond).detail());
    assertTrue(detail.contains("json.maxHeapBytes = 65536"), detail);
    small.cancel(within);
    assertEquals(0, small.kernel().memoryAccount().heapBytes());
    small.finish();
  }

  @Test
  void shouldMakeAnErrorOfItsObjectAgain() {
    WorkflowError bare = new WorkflowError("urn:e", 100, null, null, null);
    assertEquals(bare, WorkflowError.of(bare.toPayload()));
    assertEquals(ERROR, WorkflowError.of(ERROR.toPayload()));
  }
}
