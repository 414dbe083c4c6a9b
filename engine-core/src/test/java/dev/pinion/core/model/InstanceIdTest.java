package dev.pinion.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceIdTest {
  private static final long NOW = 1_700_000_000_000L;

  @Test
  void shouldNameTimeAndPartition() {
    InstanceId id = InstanceId.next(NOW, 1_023, null);

    assertEquals(NOW, id.startedAtEpochMillis());
    assertEquals(1_023, id.partition());
  }

  @Test
  void shouldAscendWithinAMillisecond() {
    InstanceId last = InstanceId.next(NOW, 7, null);
    for (int i = 0; i < 10_000; i++) {
      InstanceId next = InstanceId.next(NOW, 7, last);
      assertTrue(next.compareTo(last) > 0, "start " + i);
      assertEquals(7, next.partition());
      last = next;
    }
    assertEquals(NOW + 2, last.startedAtEpochMillis(), "4,096 starts use a millisecond up");
  }

  @Test
  void shouldAscendWhenTheClockGoesBack() {
    InstanceId last = InstanceId.next(NOW, 3, null);
    InstanceId next = InstanceId.next(NOW - 60_000, 3, last);

    assertTrue(next.compareTo(last) > 0);
    assertEquals(NOW, next.startedAtEpochMillis());
  }

  @Test
  void shouldAscendOverPartitions() {
    InstanceId last = InstanceId.next(NOW, 1_023, null);

    assertTrue(InstanceId.next(NOW, 0, last).compareTo(last) > 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1_024, Integer.MAX_VALUE})
  void shouldRefuseAPartitionThatCannotBe(int partition) {
    assertThrows(
        IllegalArgumentException.class, () -> InstanceId.next(NOW, partition, null));
  }

  @Test
  void shouldRefuseANegativeValue() {
    assertThrows(IllegalArgumentException.class, () -> new InstanceId(-1));
  }

  @Test
  void shouldSortAsTextAsItDoesAsNumberAndReadItselfBack() {
    long seed = 7;
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      InstanceId a = new InstanceId(random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63));
      InstanceId b = new InstanceId(random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63));
      int asText = Integer.signum(a.toString().compareTo(b.toString()));
      assertEquals(Integer.signum(a.compareTo(b)), asText, "seed " + seed + ": " + a + " " + b);
      assertEquals(Optional.of(a), InstanceId.parse(a.toString()), "seed " + seed);
    }
  }

  @Test
  void shouldReadTheEdges() {
    for (long value : new long[] {0, 1, Long.MAX_VALUE}) {
      InstanceId id = new InstanceId(value);
      assertEquals(15, id.toString().length());
      assertEquals(Optional.of(id), InstanceId.parse(id.toString()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "i_",
        "i_000000000000",
        "i_00000000000000",
        "j_0000000000000",
        "I_0000000000000",
        "i_000000000000A",
        "i_000000000000i",
        "i_000000000000l",
        "i_000000000000o",
        "i_000000000000u",
        "i_000000000000é",
        "i_ 000000000000",
        "i_8000000000000",
        "i_zzzzzzzzzzzzz"
      })
  void shouldRefuseWhatIsNoId(String text) {
    assertEquals(Optional.empty(), InstanceId.parse(text));
  }
}
