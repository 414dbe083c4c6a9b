package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.constant;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.model.ByteWriter;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

// Field fault 1: accepted work fills the heap.
class PackingTest {
  private static final int BOUND = 1 << 20;
  private static final ProcessGraph WAITS = graph(pause("w", Duration.ofHours(1)));

  @RegisterExtension
  final KernelHarness harness = new KernelHarness(Map.of("kernel.maxHeldBytes", BOUND));

  /** A value of small objects, which take fifty times as much of the heap as of text. */
  private static Payload large() {
    return json("[" + "{\"a\":1},".repeat(999) + "{\"a\":1}]");
  }

  private Instance instance(InstanceId id) {
    return Objects.requireNonNull(harness.kernel().instance(id));
  }

  @Test
  void shouldChargeWhatValuesTakeOfTheHeap() {
    Payload value = large();
    assertEquals(8_001, value.weight(), 1_100);
    assertTrue(value.heapBytes() > 200_000 && value.heapBytes() < 300_000, value::toString);

    InstanceId id = harness.start(WAITS, value);

    assertEquals(value.heapBytes(), instance(id).heapBytes);
    assertNull(instance(id).packed, "nothing is packed before the heap is half full");
  }

  @Test
  void shouldTakeFarMoreThanFitsAndLoseNothing() {
    List<InstanceId> ids = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ids.add(harness.start(WAITS, large()));
    }
    assertTrue(harness.kernel().heldBytes() < BOUND, "held " + harness.kernel().heldBytes());
    assertNotNull(instance(ids.getFirst()).packed, "active least recently");
    assertNull(instance(ids.getLast()).packed);

    harness.advance(Duration.ofHours(2));
    for (InstanceId id : ids) {
      assertEquals(large(), harness.output(id));
    }
  }

  @Test
  void shouldRefuseStartsWhenNothingMoreCanBePacked() {
    harness.cold.full = true;
    int started = 0;
    KernelReply last = null;
    while (!(last instanceof KernelReply.Refused) && started++ < 1_000) {
      long request = harness.offerStart(0, WAITS, large(), false);
      harness.settle();
      last = harness.reply(request);
    }
    assertEquals(new KernelReply.Refused("kernel.maxHeldBytes"), last);
    assertTrue(started > 50, "packed on the heap at least: " + started);
    harness.cold.full = false;
    long request = harness.offerStart(0, WAITS, large(), false);
    harness.settle();
    assertTrue(harness.reply(request) instanceof KernelReply.Accepted, "moved off the heap");
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
    assertTrue(one.kernel().heldBytes() < BOUND);
    for (int i = 0; i < 20; i++) {
      assertEquals(1, one.calls.size());
      assertEquals(large(), one.calls.getFirst().call().body());
      one.answer(one.calls.getFirst(), json("1"));
    }
    assertEquals(json("1"), one.output(ids.getLast()));
    one.finish();
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
    assertNotNull(instance.packed);
    assertArrayEquals(before, written(instance));
    assertNotNull(instance.packed, "only looked at");
  }

  private byte[] written(Instance instance) {
    ByteWriter out = new ByteWriter();
    harness.kernel().packing().lookAt(instance, () -> InstanceWriter.write(instance, out));
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
}
