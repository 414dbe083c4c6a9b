package dev.pinion.core.kernel.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.kernel.MapColdStore;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.CompensationStatus;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.Tags;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FinishedInstancesTest {
  private static final DefinitionKey KEY = new DefinitionKey("n", "d", "1");

  private final MapColdStore cold = new MapColdStore();
  private long now;

  /** A store that keeps all on the heap. */
  private FinishedInstances ended(int maxEnded, int maxBytes) {
    cold.full = true;
    return ended(Map.of("kernel.maxEnded", maxEnded, "kernel.maxEndedBytes", maxBytes));
  }

  private FinishedInstances ended(Map<String, Integer> limits) {
    return new FinishedInstances(EngineLimits.defaults().with(limits).kernel(), cold, () -> now);
  }

  private static InstanceView view(FinishedInstances ended, InstanceId id) {
    return Objects.requireNonNull(ended.find(id)).view();
  }

  private static FinishedInstance completed(int number, int bytes) {
    Payload output = Payload.of("x".repeat(bytes));
    return new FinishedInstance(
        new InstanceView(
            new InstanceId(number), KEY, InstanceState.COMPLETED, 1, 2, 3, output, null, Tags.NONE),
        null,
        null);
  }

  @Test
  void shouldForgetTheOldestBeyondTheNumber() {
    FinishedInstances ended = ended(2, 1_000_000);
    for (int i = 1; i <= 3; i++) {
      ended.add(completed(i, 1));
    }

    assertNull(ended.find(new InstanceId(1)));
    assertNotNull(ended.find(new InstanceId(2)));
    assertEquals(2, ended.size());
  }

  @Test
  void shouldCountWhatASnapshotWouldHaveOfThem() {
    FinishedInstances ended = ended(2, 1_000_000);
    ended.addUnjournalled(completed(1, 1_000));
    assertEquals(0, ended.journalledBytes());
    ended.add(completed(2, 1_000));
    long one = ended.journalledBytes();
    assertTrue(one >= 1_000, "bytes: " + one);
    ended.add(completed(3, 1_000));
    ended.add(completed(4, 1_000));
    assertEquals(2 * one, ended.journalledBytes());
    ended.remove(new InstanceId(3));
    ended.remove(new InstanceId(4));
    assertEquals(0, ended.journalledBytes());
  }

  @Test
  void shouldForgetTheOldestBeyondTheSize() {
    FinishedInstances ended = ended(100, 3_000);
    ended.add(completed(1, 1_000));
    ended.add(completed(2, 1_000));
    assertEquals(2, ended.size());
    ended.add(completed(3, 1_000));

    assertNull(ended.find(new InstanceId(1)));
    assertEquals(2, ended.size());
  }

  @Test
  void shouldCountTheTextOfErrors() {
    FinishedInstances ended = ended(100, 3_000);
    WorkflowError error = new WorkflowError("urn:e", 500, "t", "x".repeat(4_000), null);
    ended.add(completed(1, 1));
    ended.add(faulted(2, error, null, null));

    assertNull(ended.find(new InstanceId(2)));
    assertEquals(1, ended.size(), "which takes little");
    ended.add(completed(3, 1));
    assertEquals(2, ended.size(), "room is released");
  }

  @Test
  void shouldCountInputsAndStates() {
    FinishedInstances ended = ended(100, 3_000);
    WorkflowError error = new WorkflowError("urn:e", 500, "t", "d", null);
    ended.add(faulted(1, error, Payload.of("x".repeat(4_000)), null));
    assertEquals(0, ended.size());
    ended.add(faulted(1, error, null, new byte[4_000]));
    assertEquals(0, ended.size());
    ended.add(faulted(1, error, null, new byte[2_000]));
    assertEquals(1, ended.size(), "room is released");
  }

  @Test
  void shouldGiveBackRoomOfWhatIsRemovedOrKeptAnew() {
    FinishedInstances ended = ended(100, 3_000);
    ended.add(completed(1, 2_000));
    ended.remove(new InstanceId(1));
    assertNull(ended.find(new InstanceId(1)));
    ended.add(completed(2, 2_000));
    ended.add(completed(2, 2_000));

    assertEquals(1, ended.size());
  }

  private static FinishedInstance faulted(
      int number, WorkflowError error, @Nullable Payload input, byte @Nullable [] state) {
    return new FinishedInstance(
        new InstanceView(
            new InstanceId(number), KEY, InstanceState.FAULTED, 1, 2, 3, null, error, Tags.NONE),
        input,
        state);
  }

  @Test
  void shouldGiveBackWhatWasKept() {
    FinishedInstances ended = ended(10, 100_000);
    ended.add(completed(1, 70_000));
    WorkflowError error = new WorkflowError("urn:e", 500, "t", "d", null);
    ended.addUnjournalled(faulted(2, error, Payload.of(7), new byte[] {1, 2}));

    assertEquals(completed(1, 70_000).view, view(ended, new InstanceId(1)));
    FinishedInstance faulted = Objects.requireNonNull(ended.find(new InstanceId(2))).instance();
    assertEquals(faulted(2, error, null, null).view, faulted.view);
    assertEquals(Payload.of(7), faulted.input);
    assertArrayEquals(new byte[] {1, 2}, faulted.stateToRetry);
    assertEquals(List.of(new InstanceId(1)), ended.journalled().stream().map(e -> e.id).toList());
    assertEquals(
        List.of(new InstanceId(2), new InstanceId(1)),
        ended.newestFirst().stream().map(each -> each.id).toList());
  }

  @Test
  void shouldGiveBackWhatWasNotCompensated() {
    FinishedInstances ended = ended(10, 100_000);
    WorkflowError error = new WorkflowError("urn:e", 500, "t", "d", null);
    CompensationStatus status =
        new CompensationStatus(
            false, 1, 2, 1, List.of(new CompensationStatus.Failure("/do/0/a", error)));
    ParentTask parent = new ParentTask(new InstanceId(9), "/do/1/b");
    InstanceView alone = faulted(1, error, null, null).view.compensating(status);
    InstanceView child = faulted(2, error, null, null).view.compensating(status).startedBy(parent);
    ended.add(new FinishedInstance(alone, null, null));
    ended.add(new FinishedInstance(child, Payload.of(7), null));

    assertEquals(alone, view(ended, new InstanceId(1)));
    assertEquals(child, view(ended, new InstanceId(2)));
    InstanceView brief = Objects.requireNonNull(ended.find(new InstanceId(2))).brief;
    assertEquals(child.brief(), brief);
    assertEquals(status.brief(), brief.compensation());
  }

  /** Field fault 1: views for lists exist without the bytes, and count with the room they need. */
  @Test
  void shouldCountWhatListsTell() {
    FinishedInstances ended = ended(Map.of("kernel.maxEndedBytes", 20_000));
    Tags tags = new Tags("order 7", Map.of("label", "x".repeat(4_000)));
    Payload output = Payload.of("x".repeat(4_000));
    for (int i = 1; i <= 3; i++) {
      InstanceId id = new InstanceId(i);
      InstanceView view =
          new InstanceView(id, KEY, InstanceState.COMPLETED, 1, 2, 3, output, null, tags);
      ended.add(new FinishedInstance(view, output, null));
    }

    assertEquals(2, ended.size(), "8 kB of label each");
    FinishedInstances.RetainedInstance retainedInstance =
        Objects.requireNonNull(ended.find(new InstanceId(3)));
    assertEquals(retainedInstance.view().brief(), retainedInstance.brief);
    assertEquals(output, retainedInstance.view().output());
    assertNull(retainedInstance.brief.output());
    assertEquals(tags, retainedInstance.brief.tags());
  }

  /** Field fault 4: results of any size are kept for their time. */
  @Test
  void shouldKeepLongOnesOffTheHeap() {
    FinishedInstances ended = ended(Map.of("kernel.maxEndedBytes", 20_000));
    for (int i = 1; i <= 10; i++) {
      ended.add(completed(i, 1 << 20));
    }

    assertEquals(10, ended.size());
    assertTrue(cold.usedBytes() > 10 << 20, "bytes " + cold.usedBytes());
    for (int i = 1; i <= 10; i++) {
      assertEquals(completed(i, 1 << 20).view, view(ended, new InstanceId(i)));
    }
    ended.remove(new InstanceId(3));
    for (int i = 1; i <= 10; i++) {
      ended.remove(new InstanceId(i));
    }
    assertEquals(0, cold.usedBytes());
  }

  /** Field fault 4. */
  @Test
  void shouldMoveLongOnesOffTheHeapOnceThereIsRoom() {
    FinishedInstances ended = ended(Map.of("kernel.maxEndedBytes", 20_000));
    cold.full = true;
    ended.add(completed(1, 8_000));
    ended.add(completed(2, 8_000));
    assertEquals(0, cold.usedBytes());
    cold.full = false;
    ended.moveToColdStore();
    assertTrue(cold.usedBytes() > 16_000);
    ended.add(completed(3, 8_000));
    assertEquals(3, ended.size());
    assertEquals(completed(1, 8_000).view, view(ended, new InstanceId(1)));
  }

  @Test
  void shouldForgetTheOldestBeyondTheSizeOffTheHeap() {
    FinishedInstances ended = ended(Map.of("kernel.maxEndedColdBytes", 25_000));
    for (int i = 1; i <= 3; i++) {
      ended.add(completed(i, 10_000));
    }

    assertNull(ended.find(new InstanceId(1)));
    assertNotNull(ended.find(new InstanceId(2)));
    assertTrue(cold.usedBytes() < 25_000);
  }

  /** Field fault 4: long instances without room off the heap evict each other. */
  @Test
  void shouldForgetThoseThatTakeTheHeap() {
    FinishedInstances ended = ended(Map.of("kernel.maxEndedBytes", 100_000));
    for (int i = 1; i <= 100; i++) {
      ended.add(completed(i, i % 2 == 0 ? 3_000 : 1)); // half of them off the heap
    }
    cold.full = true;
    for (int i = 101; i <= 120; i++) {
      ended.add(completed(i, 20_000));
    }

    assertNotNull(ended.find(new InstanceId(1)));
    assertNotNull(ended.find(new InstanceId(2)));
    assertNull(ended.find(new InstanceId(101)), "the oldest of those on the heap");
    assertNotNull(ended.find(new InstanceId(120)));
  }

  /** Field fault 4: instances off the heap make room there. */
  @Test
  void shouldForgetTheOldestOfThoseOffTheHeap() {
    FinishedInstances ended = ended(Map.of("kernel.maxEndedColdBytes", 25_000));
    for (int i = 1; i <= 100; i++) {
      ended.add(completed(i, 1));
    }
    for (int i = 101; i <= 104; i++) {
      ended.add(completed(i, 10_000));
    }

    assertEquals(102, ended.size());
    assertNotNull(ended.find(new InstanceId(1)));
    assertNull(ended.find(new InstanceId(102)));
    assertNotNull(ended.find(new InstanceId(103)));
  }

  /** Field fault 4: one that no store would accept keeps no others on the heap. */
  @Test
  void shouldMoveOthersPastOneThatIsTooLong() {
    FinishedInstances ended = ended(Map.of("kernel.maxEndedColdBytes", 25_000));
    ended.add(completed(1, 30_000));
    ended.add(completed(2, 10_000));

    assertTrue(cold.usedBytes() > 10_000 && cold.usedBytes() < 12_000);
    assertEquals(completed(1, 30_000).view, view(ended, new InstanceId(1)));
  }

  /** Field fault 4: retention of a result. */
  @Test
  void shouldForgetThoseWhoseTimeIsOver() {
    FinishedInstances ended = ended(Map.of("kernel.keepEndedSeconds", 10));
    ended.add(completed(1, 1));
    now = TimeUnit.SECONDS.toNanos(10) - 1;
    assertNotNull(ended.find(new InstanceId(1)));
    now++;
    assertNull(ended.find(new InstanceId(1)));
  }

  @Test
  void shouldKeepNothingWhenNothingMayBeKept() {
    FinishedInstances ended = ended(0, 1_000);
    ended.add(completed(1, 1));

    assertEquals(0, ended.size());
  }
}
