package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EndedInstancesTest {
  private static final DefinitionKey KEY = new DefinitionKey("n", "d", "1");

  private static EndedInstance completed(int number, int bytes) {
    Payload output = Payload.of("x".repeat(bytes));
    return new EndedInstance(
        new InstanceView(
            new InstanceId(number), KEY, InstanceState.COMPLETED, 1, 2, 3, output, null),
        null,
        null);
  }

  @Test
  void shouldForgetTheOldestBeyondTheNumber() {
    EndedInstances ended = new EndedInstances(2, 1_000_000);
    for (int i = 1; i <= 3; i++) {
      ended.add(completed(i, 1));
    }

    assertNull(ended.find(new InstanceId(1)));
    assertNotNull(ended.find(new InstanceId(2)));
    assertEquals(2, ended.size());
  }

  @Test
  void shouldForgetTheOldestBeyondTheSize() {
    EndedInstances ended = new EndedInstances(100, 3_000);
    ended.add(completed(1, 1_000));
    ended.add(completed(2, 1_000));
    assertEquals(2, ended.size());
    ended.add(completed(3, 1_000));

    assertNull(ended.find(new InstanceId(1)));
    assertEquals(2, ended.size());
  }

  @Test
  void shouldCountTheTextOfErrors() {
    EndedInstances ended = new EndedInstances(100, 3_000);
    WorkflowError error = new WorkflowError("urn:e", 500, "t", "x".repeat(4_000), null);
    ended.add(completed(1, 1));
    ended.add(faulted(2, error, null, null));

    assertEquals(0, ended.size());
    ended.add(completed(3, 1));
    assertEquals(1, ended.size(), "room is given back");
  }

  @Test
  void shouldCountInputsAndStates() {
    EndedInstances ended = new EndedInstances(100, 3_000);
    WorkflowError error = new WorkflowError("urn:e", 500, "t", "d", null);
    ended.add(faulted(1, error, Payload.of("x".repeat(4_000)), null));
    assertEquals(0, ended.size());
    ended.add(faulted(1, error, null, new byte[4_000]));
    assertEquals(0, ended.size());
    ended.add(faulted(1, error, null, new byte[2_000]));
    assertEquals(1, ended.size(), "room is given back");
  }

  @Test
  void shouldGiveBackRoomOfWhatIsRemovedOrKeptAnew() {
    EndedInstances ended = new EndedInstances(100, 3_000);
    ended.add(completed(1, 2_000));
    ended.remove(new InstanceId(1));
    assertNull(ended.find(new InstanceId(1)));
    ended.add(completed(2, 2_000));
    ended.add(completed(2, 2_000));

    assertEquals(1, ended.size());
  }

  private static EndedInstance faulted(
      int number, WorkflowError error, @Nullable Payload input, byte @Nullable [] state) {
    return new EndedInstance(
        new InstanceView(new InstanceId(number), KEY, InstanceState.FAULTED, 1, 2, 3, null, error),
        input,
        state);
  }

  @Test
  void shouldGiveBackWhatWasKept() {
    EndedInstances ended = new EndedInstances(10, 100_000);
    ended.add(completed(1, 70_000));
    WorkflowError error = new WorkflowError("urn:e", 500, "t", "d", null);
    ended.addUnjournalled(faulted(2, error, Payload.of(7), new byte[] {1, 2}));

    assertEquals(completed(1, 70_000).view, ended.view(new InstanceId(1)));
    EndedInstance faulted = Objects.requireNonNull(ended.find(new InstanceId(2)));
    assertEquals(faulted(2, error, null, null).view, faulted.view);
    assertEquals(Payload.of(7), faulted.input);
    assertArrayEquals(new byte[] {1, 2}, faulted.stateToRetry);
    assertEquals(List.of(new InstanceId(1)), ended.journalled().stream().map(e -> e.id).toList());
    assertEquals(
        List.of(new InstanceId(2), new InstanceId(1)),
        ended.newestFirst().stream().map(each -> each.id).toList());
  }

  @Test
  void shouldKeepNothingWhenNothingMayBeKept() {
    EndedInstances ended = new EndedInstances(0, 1_000);
    ended.add(completed(1, 1));

    assertEquals(0, ended.size());
  }
}
