package dev.pinion.core.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotAssignmentTest {
  @Test
  void shouldReadWhatItWrites() {
    SlotAssignment told = new SlotAssignment(7, List.of(0, 2, 2));

    assertEquals("7 0 2 2", told.toString());
    assertEquals(told, SlotAssignment.parse(" 7 0 2 2", 3));
    assertEquals(2, told.owner(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7", "7 0 1", "7 0 1 2 2", "7 0 1 3", "7 0 1 x", "7 0  1 2"})
  void shouldRefuseWhatIsNone(String text) {
    assertThrows(IllegalArgumentException.class, () -> SlotAssignment.parse(text, 3));
  }

  @Test
  void shouldGoByTheLatestVersionOnly() {
    ReplicaGroup place = new ReplicaGroup(1, 3, Path.of(""), StartPolicy.LOCAL);
    assertEquals(SlotAssignment.identity(3), place.assignment());
    int[] heard = new int[1];
    place.onAssigned(() -> heard[0]++);

    place.assign(new SlotAssignment(2, List.of(0, 0, 0)));
    place.assign(new SlotAssignment(1, List.of(0, 1, 0)));
    place.assign(new SlotAssignment(2, List.of(2, 2, 2)));

    assertEquals(1, heard[0]);
    assertEquals(0, place.owner(4));
    assertEquals(1, place.slotOf(4));
  }
}
