package dev.pinion.core.kernel.step;

import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.constant;
import static dev.pinion.core.kernel.Values.costing;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.stage.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

// Field fault 1: accepted work fills the heap.
class ValuePackingTest {
  private static final int BOUND = 1 << 20;
  private static final ProcessGraph WAITS = graph(pause("w", Duration.ofHours(1)));

  @RegisterExtension
  final KernelHarness harness = new KernelHarness(Map.of("kernel.maxHeldBytes", BOUND));

  /** A value of small objects, which take fifty times more heap than text. */
  private static Payload large() {
    return json("[" + "{\"a\":1},".repeat(999) + "{\"a\":1}]");
  }

  private Instance instance(InstanceId id) {
    return Objects.requireNonNull(harness.kernel().instances().running(id));
  }

  @Test
  void shouldChargeWhatValuesTakeOfTheHeap() {
    Payload value = large();
    assertEquals(8_001, value.weight(), 1_100);
    assertTrue(value.heapBytes() > 200_000 && value.heapBytes() < 300_000, value::toString);

    InstanceId id = harness.start(WAITS, value);

    assertEquals(value.heapBytes(), instance(id).heapBytes);
    assertNull(instance(id).packedValues, "nothing is packed before the heap is half full");
  }

  @Test
  void shouldTakeFarMoreThanFitsAndLoseNothing() {
    List<InstanceId> ids = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ids.add(harness.start(WAITS, large()));
    }
    assertTrue(
        harness.kernel().memoryAccount().heapBytes() < BOUND,
        "held " + harness.kernel().memoryAccount().heapBytes());
    assertNotNull(instance(ids.getFirst()).packedValues, "active least recently");
    assertNull(instance(ids.getLast()).packedValues);

    harness.advance(Duration.ofHours(2));
    for (InstanceId id : ids) {
      assertEquals(large(), harness.output(id));
    }
  }

  @Test
  void shouldRefuseStartsWhenNothingMoreCanBePacked() {
    harness.cold.full = true;
    int started = 0;
    Reply last = null;
    while (!(last instanceof Reply.LimitReached) && started++ < 1_000) {
      long request = harness.offerStart(0, WAITS, large(), false);
      harness.settle();
      last = harness.reply(request);
    }
    assertEquals(new Reply.LimitReached("kernel.maxHeldBytes"), last);
    assertTrue(started > 50, "packed on the heap at least: " + started);
    harness.cold.full = false;
    long request = harness.offerStart(0, WAITS, large(), false);
    harness.settle();
    assertTrue(harness.reply(request) instanceof Reply.Accepted, "moved off the heap");
  }

  /** Field fault 1: starts refused before they reach a kernel must not be refused for ever. */
  @Test
  void shouldMakeRoomWhileNothingComes() {
    harness.cold.full = true;
    while (!harness.heap.isFull(0)) {
      harness.offerStart(0, WAITS, large(), false);
      harness.settle();
    }
    harness.advance(Duration.ofSeconds(2));
    assertTrue(harness.heap.isFull(0));
    harness.cold.full = false;
    harness.advance(Duration.ofSeconds(1));

    assertFalse(harness.heap.isFull(0));
  }

  @Test
  void shouldCallWithABodyThatWasPackedWhileItWaitedForAPermit() {
    KernelHarness one =
        new KernelHarness(Map.of("kernel.maxHeldBytes", BOUND, "kernel.maxCalls", 1));
    ProcessGraph graph = graph(call("c"));
    List<InstanceId> ids = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ids.add(one.start(graph, large()));
    }
    assertTrue(one.kernel().memoryAccount().heapBytes() < BOUND);
    for (int i = 0; i < 20; i++) {
      assertEquals(1, one.calls.size());
      assertEquals(large(), one.calls.getFirst().call().body());
      one.answer(one.calls.getFirst(), json("1"));
    }
    assertEquals(json("1"), one.output(ids.getLast()));
    one.finish();
  }

  /** A call with a large body, from an instance with a small input. */
  private static final ProcessGraph CALLS =
      graph(
          call(
              "c",
              constant(
                  new HttpCall(
                      "POST",
                      "http://service/c",
                      List.of(),
                      large(),
                      HttpCall.Output.CONTENT,
                      false))));

  @Test
  void shouldPackBodiesOfCallsThatWaitForAPermit() {
    KernelHarness one =
        new KernelHarness(Map.of("kernel.maxHeldBytes", BOUND, "kernel.maxCalls", 1));
    one.journal.withoutComparison();
    List<InstanceId> ids = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ids.add(one.start(CALLS));
    }
    assertEquals(
        large().heapBytes(),
        Objects.requireNonNull(one.kernel().instances().running(ids.get(9))).heapBytes);
    assertTrue(one.kernel().memoryAccount().packing().packedInstances() > 15);
    assertTrue(
        one.kernel().memoryAccount().heapBytes() < BOUND,
        "held " + one.kernel().memoryAccount().heapBytes());

    one.cancel(ids.get(9));
    for (int i = 0; i < 19; i++) {
      assertEquals(large(), one.calls.getFirst().call().body());
      one.answer(one.calls.getFirst(), json("1"));
    }
    assertEquals(json("1"), one.output(ids.getLast()));
    one.finish();
  }

  @Test
  void shouldRefuseStartsWhenBodiesOfCallsThatWaitFillTheHeap() {
    KernelHarness one =
        new KernelHarness(Map.of("kernel.maxHeldBytes", BOUND, "kernel.maxCalls", 1));
    one.journal.withoutComparison();
    one.cold.full = true;
    int started = 0;
    Reply last = null;
    while (!(last instanceof Reply.LimitReached) && started++ < 1_000) {
      long request = one.offerStart(0, CALLS, Payload.NULL, false);
      one.settle();
      last = one.reply(request);
    }
    assertEquals(new Reply.LimitReached("kernel.maxHeldBytes"), last);
    one.finish();
  }

  @Test
  void shouldHandOutNoMoreBodiesAtOnceThanThereIsRoomFor() {
    harness.journal.waitForForce();
    List<InstanceId> ids = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      long request = harness.offerStart(0, CALLS, Payload.NULL, false);
      harness.settle();
      harness.journal.force();
      harness.settle();
      ids.add(harness.accepted(request));
    }
    assertEquals(2, harness.calls.size(), "half of the bound");
    harness.journal.forceAtOnce();
    for (int i = 0; i < 10; i++) {
      harness.answer(harness.calls.getFirst(), json("1"));
    }
    assertEquals(json("1"), harness.output(ids.getLast()));
  }

  @Test
  void shouldCountCallsThatWaitForTheJournal() {
    harness.journal.withoutComparison();
    harness.journal.waitForForce();
    for (int i = 0; i < 10; i++) {
      harness.offerStart(0, CALLS, Payload.NULL, false);
    }
    harness.settle();
    assertEquals(2, harness.kernel().router().calls().used(), "half of the bound");
    harness.offerCancel(
        Collections.min(harness.kernel().instances().runningIds())); // one has a permit
    harness.settle();
    assertEquals(List.of(), harness.calls);
    harness.journal.forceAtOnce();
    harness.settle();
    assertEquals(2, harness.calls.size(), "another one instead of the abandoned one");
  }

  @Test
  void shouldMakeACallThatAloneIsMoreThanThereIsRoomFor() {
    KernelHarness small = new KernelHarness(Map.of("kernel.maxHeldBytes", large().heapBytes()), 2);
    List<InstanceId> ids = new ArrayList<>();
    for (int kernel = 0; kernel < 2; kernel++) {
      for (int i = 0; i < 2; i++) {
        long request = small.offerStart(kernel, CALLS, Payload.NULL, false);
        small.settle();
        if (small.reply(request) instanceof Reply.Accepted accepted) {
          ids.add(accepted.id());
        }
      }
    }
    assertFalse(ids.isEmpty());
    while (!small.calls.isEmpty()) {
      small.answer(small.calls.getFirst(), json("1"));
    }
    ids.forEach(id -> assertEquals(json("1"), small.output(id)));
    small.finish();
  }

  /** No wake-up comes for room that another kernel frees. */
  @Test
  void shouldLookForRoomThatAnotherKernelGivesBack() {
    KernelHarness two = new KernelHarness(Map.of("kernel.maxHeldBytes", BOUND), 2);
    for (int i = 0; i < 2; i++) {
      two.offerStart(0, CALLS, Payload.NULL, false);
    }
    two.settle();
    assertEquals(Stage.NO_DEADLINE, two.kernel(1).nextDeadlineNanos());
    two.offerStart(1, CALLS, Payload.NULL, false);
    two.settle();
    assertEquals(3, two.calls.size(), "each kernel makes one at least");
    two.offerStart(1, CALLS, Payload.NULL, false);
    two.settle();
    assertEquals(3, two.calls.size());
    assertFalse(two.kernel(1).hasWork(), "no busy loop");
    assertEquals(two.nowNanos() + 1_000_000, two.kernel(1).nextDeadlineNanos());

    two.answer(two.calls.getFirst(), json("1"));
    two.answer(two.calls.getFirst(), json("1"));
    two.advance(Duration.ofMillis(1));
    assertEquals(2, two.calls.size());
    assertEquals(Stage.NO_DEADLINE, two.kernel(1).nextDeadlineNanos());
    two.finish();
  }

  @Test
  void shouldWriteTheSameStatePackedOrNot() {
    ProcessGraph graph =
        graph(
            set("s", constant(large())),
            fork("f", pause("w", Duration.ofHours(1)), pause("v", Duration.ofHours(2))));
    InstanceId id = harness.start(graph, large());
    Instance instance = instance(id);
    byte[] before = written(instance);
    for (int i = 0; i < 10; i++) {
      harness.start(WAITS, large());
    }
    assertNotNull(instance.packedValues);
    assertArrayEquals(before, written(instance));
    assertNotNull(instance.packedValues, "only read");
  }

  private byte[] written(Instance instance) {
    ByteWriter out = new ByteWriter();
    harness
        .kernel()
        .memoryAccount()
        .packing()
        .withUnpacked(instance, () -> InstanceWriter.write(instance, out));
    return out.toBytes();
  }

  @Test
  void shouldFaultAnInstanceThatAloneIsTooLargeByName() {
    KernelHarness small = new KernelHarness(Map.of("json.maxHeapBytes", 16 << 10));
    InstanceId id = small.start(graph(set("s", constant(large()))));

    String detail = Objects.requireNonNull(small.error(id).detail());
    assertTrue(detail.contains("json.maxHeapBytes"), detail);
    small.finish();
  }

  @Test
  void shouldChargeOnceWhatALargeInstanceHoldsTwice() {
    Payload value = large();
    InstanceId id =
        harness.start(
            graph(
                set("a", constant(value)),
                fork("f", set("b", constant(value)), block("c", pause("w", Duration.ofHours(1))))),
            value);

    assertEquals(value.heapBytes(), instance(id).heapBytes);
    assertTrue(instance(id).heldBytes() > 2L * value.weight(), "by weight for each");
  }

  @Test
  void shouldGiveBackWhatWasChargedAnew() {
    Payload value = large();
    InstanceId id =
        harness.start(
            graph(
                set("a", constant(value)),
                block("b", set("c", constant(json("1"))), pause("w", Duration.ofHours(1))),
                pause("v", Duration.ofHours(1))),
            json("2"));
    assertTrue(instance(id).heapBytes >= value.heapBytes(), "kept by the block");

    harness.advance(Duration.ofMinutes(61));
    assertTrue(instance(id).heapBytes < 100, "" + instance(id).heapBytes);
  }

  /** Field fault 1: large instances that are active together are no fault of any of them. */
  @Test
  void shouldFaultNoInstanceForWhatOthersHold() {
    int bound = 2 * large().heapBytes();
    KernelHarness two = new KernelHarness(Map.of("kernel.maxHeldBytes", bound), 2);
    ProcessGraph called = graph(call("c"), set("s", constant(json("2"))));
    long request = two.offerStart(1, called, Payload.NULL, false);
    two.settle();
    InstanceId id = two.accepted(request);
    // given an instance that cannot be packed, since another thread reads its values
    two.offerStart(0, graph(set("s", costing(1_000_000, constant(json("1"))))), many(3), false);
    two.settle();
    assertEquals(1, two.evaluations.size());

    // when that of another kernel gets so much that together they have too much
    two.answer(two.calls.getFirst(), many(2));

    assertEquals(json("2"), two.output(id));
    two.finish();
  }

  @Test
  void shouldFaultAnInstanceWhenAllTakeThriceTheBound() {
    int bound = 2 * large().heapBytes();
    KernelHarness two = new KernelHarness(Map.of("kernel.maxHeldBytes", bound), 2);
    ProcessGraph called = graph(call("c"), pause("w", Duration.ofHours(1)));
    long request = two.offerStart(1, called, Payload.NULL, false);
    two.settle();
    InstanceId id = two.accepted(request);
    two.offerStart(0, graph(set("s", costing(1_000_000, constant(json("1"))))), many(3), false);
    two.settle();

    two.answer(two.calls.getFirst(), many(3)); // alone not twice the bound

    String detail = Objects.requireNonNull(two.error(id).detail());
    assertTrue(detail.contains("twice kernel.maxHeldBytes"), detail);
    two.finish();
  }

  private static Payload many(int times) {
    String large = large().toString();
    return json(
        Stream.generate(() -> large).limit(times).collect(Collectors.joining(",", "[", "]")));
  }
}
