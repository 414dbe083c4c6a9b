package dev.pinion.core.kernel.replay;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.pause;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.InMemoryJournal;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.EffectLog;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.MapColdStore;
import dev.pinion.core.kernel.RecordedEffects;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.kernel.step.memory.PackedValues;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.spi.InstanceObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Field fault 3: waiting instances leave the heap of the process that keeps the history. */
class PassivationTest {
  private static final ProcessGraph WAITS = graph(pause("w", Duration.ofHours(1)));
  private static final int HEAP = 100_000;
  private static final int INSTANCES = 1_000;

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final List<HistoryEvent> heard = new ArrayList<>();

  /** A kernel that follows the harness's kernel. */
  private final class Shadow {
    final MapColdStore cold = new MapColdStore();
    final Kernel kernel;
    final Recovery recovery;
    private int followed;

    Shadow(long heapBytes) {
      kernel =
          new Kernel(
              0,
              harness.limits,
              new DefinitionSources(harness.graphs(), () -> BindingTable.EMPTY, Durability.SYNC),
              new KernelOutputs(
                  new InMemoryJournal(1), new Heard(), new RecordedEffects(new EffectLog())),
              new KernelMemory(new HeapAccount(heapBytes), cold),
              KernelHarness.FIRST_NANOS);
      recovery = Recovery.shadow(kernel.state());
      recovery.onJournalOpened(harness.limits);
    }

    void follow() throws RecoveryException {
      List<JournalRecord> records = harness.journal.entries();
      for (; followed < records.size(); followed++) {
        JournalRecord record = records.get(followed);
        recovery.apply(record, record.nowNanos());
        recovery.runImpliedTurns();
      }
      recovery.runImpliedTurns();
      recovery.runImpliedTurns();
    }

    /** Packed values of the instances, in the order of their ids. */
    List<@Nullable PackedValues> packed() {
      List<@Nullable PackedValues> packed = new ArrayList<>();
      kernel.instances().runningIds().stream()
          .sorted()
          .forEach(
              id ->
                  packed.add(
                      Objects.requireNonNull(kernel.instances().running(id)).packedValues()));
      return packed;
    }

    /** Number of repetitions of the one call in progress. */
    int deliveries(InstanceId id) {
      recovery.finishShadow();
      List<Integer> found = new ArrayList<>();
      Objects.requireNonNull(kernel.instances().running(id))
          .forEachActivity(
              each -> {
                if (each.awaiting() != 0) {
                  found.add(each.deliveries());
                }
              });
      assertEquals(1, found.size());
      return found.getFirst();
    }
  }

  @Test
  void shouldHoldFewInstancesOfManyThatWait() throws RecoveryException {
    for (int i = 0; i < INSTANCES; i++) {
      harness.start(WAITS, Payload.of(i));
    }
    Shadow shadow = new Shadow(HEAP);
    shadow.follow();
    assertTrue(
        shadow.kernel.instances().runningIds().size() < HEAP / 1_000, "with separate objects");
    assertEquals(
        INSTANCES, shadow.kernel.instances().runningIds().size() + shadow.recovery.passive());

    harness.advance(Duration.ofHours(2));
    shadow.follow();
    assertEquals(harness.happenings.size(), heard.size());
    assertEquals(0, shadow.kernel.instances().runningIds().size() + shadow.recovery.passive());
    assertEquals(0, shadow.cold.usedBytes());
  }

  @Test
  void shouldCountCallsThatWereMadeAgainMeanwhile() throws RecoveryException {
    InstanceId id = harness.start(graph(call("c")), Payload.NULL);
    Shadow tiny = new Shadow(1);
    Shadow roomy = new Shadow(Integer.MAX_VALUE);
    for (Shadow each : List.of(tiny, roomy)) {
      each.follow();
      each.recovery.onJournalOpened(harness.limits);
      each.recovery.onJournalOpened(harness.limits);
    }
    assertEquals(1, tiny.recovery.passive());
    harness.offerSuspendOrResume(id);
    harness.settle();

    tiny.cold.full = true; // instances that are read again stay
    tiny.follow();
    roomy.follow();

    assertEquals(0, tiny.recovery.passive());
    assertEquals(2, roomy.deliveries(id));
    assertEquals(2, tiny.deliveries(id));
  }

  @Test
  void shouldForgetThePartitionOfAnInstanceThatIsWrittenDown() throws RecoveryException {
    harness.start(WAITS, Payload.NULL);
    Shadow shadow = new Shadow(1);
    shadow.follow();
    assertEquals(1, shadow.recovery.passive());

    shadow.recovery.forget(0);

    assertEquals(0, shadow.recovery.passive());
    assertEquals(0, shadow.cold.usedBytes());
  }

  /** A waiting instance is serialized once, not for every record, while the store is full. */
  @Test
  void shouldTryAgainOnlyWhenThereIsRoom() throws RecoveryException {
    for (int i = 0; i < 20; i++) {
      harness.start(WAITS, Payload.of("x".repeat(5_000)));
    }
    Shadow shadow = new Shadow(1);
    shadow.cold.full = true;
    shadow.follow();
    assertEquals(20, shadow.kernel.memoryAccount().packing().packedInstances());
    List<@Nullable PackedValues> packed = shadow.packed();
    InstanceId last = harness.start(WAITS, Payload.of(1));
    shadow.follow();
    assertEquals(packed, shadow.packed().subList(0, 20), "the same, nothing was unpacked");
    assertEquals(21, shadow.kernel.instances().runningIds().size());

    shadow.cold.full = false;
    harness.offerSuspendOrResume(last);
    harness.settle();
    shadow.follow();
    assertEquals(0, shadow.kernel.instances().runningIds().size());
    assertEquals(21, shadow.recovery.passive());
  }

  @Test
  void shouldPackAgainWhatFoundNoRoom() throws RecoveryException {
    for (int i = 0; i < 20; i++) {
      harness.start(WAITS, Payload.of("x".repeat(5_000)));
    }
    Shadow shadow = new Shadow(1);
    shadow.cold.longest = 1_000;
    shadow.follow();

    assertEquals(0, shadow.recovery.passive());
    assertEquals(20, shadow.kernel.memoryAccount().packing().packedInstances());
  }

  @Test
  void shouldForgetTimersAndCallsOfAPartition() throws RecoveryException {
    harness.start(WAITS, Payload.NULL);
    harness.start(graph(call("c")), Payload.NULL);
    InstanceId third = harness.start(graph(call("d")), Payload.NULL);
    Shadow shadow = new Shadow(Integer.MAX_VALUE);
    shadow.follow();
    assertEquals(1, shadow.kernel.router().timers().size());
    shadow.recovery.forget(third);
    shadow.recovery.forget(0);

    assertEquals(0, shadow.kernel.router().timers().size());
    assertEquals(0, shadow.kernel.memoryAccount().heapBytes());
    assertEquals(0, shadow.recovery.finish(harness.nowNanos()), "calls made again");
  }

  @Test
  void shouldKeepNoKeysOfStarts() throws RecoveryException {
    harness.offerStart(WAITS, new StartKey(1, 2, 3, 4), false, false);
    harness.settle();
    Shadow shadow = new Shadow(Integer.MAX_VALUE);
    shadow.follow();

    assertEquals(1, shadow.kernel.instances().runningIds().size());
    List<SnapshotEntry> entries = TakenSnapshot.of(shadow.kernel).entries;
    assertTrue(entries.stream().noneMatch(each -> each.kind() == SnapshotEntry.KEY));
  }

  /** Observer that stores its events. */
  private final class Heard implements InstanceObserver {
    @Override
    public void onTaskEntered(InstanceId id, String pointer, String name) {}

    @Override
    public boolean observesAll() {
      return true;
    }

    @Override
    public void onEvent(HistoryEvent event) {
      heard.add(event);
    }
  }
}
