package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.replay.CrashPropertyTest;
import dev.pinion.core.kernel.replay.Recovery;
import dev.pinion.core.kernel.replay.TakenSnapshot;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.StartKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Partitions that move from one kernel to another. {@link CrashPropertyTest} covers random
 * processes that move.
 */
class KernelPartitionsTest {
  private static final StartKey KEY = StartKey.of("/a", "k", ByteBuffer.allocate(0));

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private boolean gone;

  /** Disables the comparison: a replay has no moves. */
  @BeforeEach
  void compareNothing() {
    harness.journal.withoutComparison();
  }

  @Test
  void shouldAnswerNothingAboutWhatHasLeft() {
    ProcessGraph graph = Tasks.graph(Tasks.pause("nap", Duration.ofSeconds(10)));
    long waiting = harness.offerStart(graph, KEY, true, false);
    InstanceId id = accepted(waiting);
    InstanceId ended = harness.start(Tasks.graph(Tasks.call("a")));
    harness.answer("a", Payload.of(1));
    depart();

    assertTrue(gone);
    assertEquals(new Reply.NotOwner(), harness.replies(waiting).getLast(), "waiters");
    assertEquals(new Reply.NotOwner(), harness.cancel(id));
    long asked = harness.offerGet(ended, false);
    long again = harness.offerStart(graph, KEY, true, false);
    harness.settle();
    assertEquals(new Reply.NotOwner(), harness.reply(asked));
    assertInstanceOf(Reply.LimitReached.class, harness.reply(again));
    harness.advance(Duration.ofSeconds(20));
    assertNothingLeft(2 + 1);
  }

  @Test
  void shouldWaitForCallsThatItAborts() {
    harness.start(Tasks.graph(Tasks.call("a")));
    Effect.Invoke call = harness.call("a");
    depart();

    assertFalse(gone);
    assertEquals(1, harness.aborts.size());
    harness.answer(call, Payload.of(1));
    assertTrue(gone);
    assertNothingLeft(1);
  }

  @Test
  void shouldWaitUntilEverythingIsDurable() {
    harness.journal.waitForForce();
    harness.offerStart(0, Tasks.graph(Tasks.call("a")), Payload.NULL, false);
    harness.settle();
    depart();

    assertFalse(gone);
    assertEquals(List.of(), harness.calls, "of a start that is not durable");
    harness.journal.forceAtOnce();
    harness.settle();
    assertTrue(gone);
    assertEquals(List.of(), harness.calls, "of an instance that has left");
    assertNothingLeft(1);
  }

  @Test
  void shouldDropASliceInEachCycle() {
    ProcessGraph graph = Tasks.graph(Tasks.pause("nap", Duration.ofHours(1)));
    int count = KernelPartitions.DROPPED_PER_CYCLE + 1;
    for (int i = 0; i < count; i++) {
      harness.offerStart(0, graph, Payload.NULL, false);
    }
    harness.settle();
    harness.kernel().releasePartitions(new PartitionRelease(partition(), () -> gone = true));

    harness.cycle();
    assertEquals(1, harness.kernel().instances().size());
    assertFalse(gone);
    harness.cycle();
    assertTrue(gone);
    assertNothingLeft(count);
  }

  @Test
  void shouldTakeUpASliceInEachCycleAndAnswerThen() {
    ProcessGraph graph = Tasks.graph(Tasks.pause("nap", Duration.ofSeconds(10)));
    int count = KernelPartitions.LOADED_PER_CYCLE; // and an entry of the kernel itself
    for (int i = 0; i < count; i++) {
      harness.offerStart(0, graph, Payload.NULL, false);
    }
    harness.settle();
    TakenSnapshot state = TakenSnapshot.of(harness.kernel());
    InstanceId id = harness.journal.running().getFirst();
    depart();
    boolean[] settled = new boolean[1];
    harness.kernel().acquirePartitions(arrival(state, () -> settled[0] = true));

    harness.cycle();
    assertEquals(count, harness.kernel().instances().size());
    assertFalse(settled[0]);
    long early = harness.offerGet(id, false);
    harness.cycle();
    assertTrue(settled[0]);
    harness.settle();
    assertInstanceOf(Reply.NotOwner.class, harness.reply(early));
    assertEquals(InstanceState.WAITING, harness.state(id));
    harness.advance(Duration.ofSeconds(11));
    assertEquals(InstanceState.COMPLETED, harness.state(id));
    assertEquals(0, harness.kernel().instances().size());
  }

  @Test
  void shouldKnowKeysAndGiveNoIdAgainAfterAnArrival() {
    ProcessGraph graph = Tasks.graph(Tasks.pause("nap", Duration.ofSeconds(10)));
    InstanceId id = accepted(harness.offerStart(graph, KEY, false, false));
    TakenSnapshot state = TakenSnapshot.of(harness.kernel());
    depart();
    harness.kernel().acquirePartitions(arrival(state, () -> {}));
    harness.settle();

    long again = harness.offerStart(graph, KEY, false, false);
    harness.settle();
    assertEquals(new Reply.Accepted(id, graph.key()), harness.reply(again));
    assertTrue(harness.start(graph).compareTo(id) > 0);
  }

  @Test
  void shouldDivideNoStateBetweenCycles() {
    InstanceId id = harness.start(Tasks.graph(Tasks.call("a")), Payload.of("x".repeat(5_000)));
    TakenSnapshot state = new TakenSnapshot().dividedInto(10);
    harness.kernel().snapshotNow(state);
    assertTrue(state.entries.size() > KernelPartitions.LOADED_PER_CYCLE);
    Effect.Invoke call = harness.call("a");
    depart();
    harness.answer(call, Payload.of(1));
    assertTrue(gone);

    harness.kernel().acquirePartitions(arrival(state, () -> {}));
    harness.settle();
    harness.answer("a", Payload.of(2));
    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  private InstanceId accepted(long request) {
    harness.settle();
    return harness.accepted(request);
  }

  private void depart() {
    harness.kernel().releasePartitions(new PartitionRelease(partition(), () -> gone = true));
    harness.settle();
  }

  private static PartitionAcquisition arrival(TakenSnapshot state, Runnable settled) {
    return new PartitionAcquisition(
        partition(),
        state.entries,
        Recovery::of,
        settled,
        reason -> {
          throw new AssertionError(reason);
        });
  }

  private static BitSet partition() {
    return BitSet.valueOf(new long[] {1});
  }

  /** Checks that nothing was recorded for the departed partitions, and that no work is left. */
  private void assertNothingLeft(int records) {
    assertEquals(0, harness.kernel().instances().size());
    assertEquals(0, harness.kernel().counters().running());
    assertEquals(0, harness.kernel().memoryAccount().heapBytes());
    assertEquals(0, harness.kernel().router().timers().size());
    assertEquals(0, harness.kernel().router().calls().used());
    assertEquals(records, harness.journal.entries().size());
    assertTrue(
        harness.journal.entries().stream()
            .noneMatch(entry -> entry.event() instanceof Event.Cancelled));
  }
}
