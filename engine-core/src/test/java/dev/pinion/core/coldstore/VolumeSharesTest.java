package dev.pinion.core.coldstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.KernelLimits;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Field fault 5. */
class VolumeSharesTest {
  private static final EngineLimits DEFAULTS = EngineLimits.defaults();

  /** Results are stored off the heap and in snapshots, three times at most. */
  @Test
  void shouldKeepFewerResultsOfEndedInstancesOnASmallVolume() {
    KernelLimits small = VolumeShares.kernelLimits(DEFAULTS, 256L << 20, 2).kernel();
    assertEquals(8 << 20, small.maxEndedColdBytes());
    assertEquals(8 << 20, small.maxEndedBytes());
    assertEquals(16 << 20, small.maxColdBytes());
  }

  @Test
  void shouldLeaveLimitsOnALargeVolume() {
    assertSame(DEFAULTS, VolumeShares.kernelLimits(DEFAULTS, 1L << 40, 2));
    assertSame(DEFAULTS, VolumeShares.kernelLimits(DEFAULTS, Long.MAX_VALUE, 16));
  }

  @Test
  void shouldRaiseNoLimit() {
    EngineLimits lower =
        DEFAULTS.with(
            Map.of(
                "kernel.maxEndedBytes",
                1 << 20,
                "kernel.maxEndedColdBytes",
                1 << 20,
                "kernel.maxColdBytes",
                1 << 20));
    assertSame(lower, VolumeShares.kernelLimits(lower, 256L << 20, 2));
  }

  @Test
  void shouldLeaveJournalsTheirRoom() {
    assertEquals(256L << 20, VolumeShares.leftBytes(64 << 20, Long.MAX_VALUE));
    assertEquals(64L << 20, VolumeShares.leftBytes(25 << 20, 256L << 20));
  }

  /** Two kernels took half of a volume of 64 MiB for files of 16 MiB, before anything waited. */
  @Test
  void shouldMakeSmallerFilesOfValuesOffTheHeapOnASmallVolume() {
    assertEquals(1 << 20, VolumeShares.coldSegmentBytes(1));
    assertEquals(1 << 20, VolumeShares.coldSegmentBytes(127L << 20));
    assertEquals(2 << 20, VolumeShares.coldSegmentBytes(128L << 20));
    assertEquals(8 << 20, VolumeShares.coldSegmentBytes((1L << 30) - 1));
    assertEquals(BlockColdStore.SEGMENT_BYTES, VolumeShares.coldSegmentBytes(1L << 30));
    assertEquals(BlockColdStore.SEGMENT_BYTES, VolumeShares.coldSegmentBytes(Long.MAX_VALUE));
  }

  @Test
  void shouldMakeSmallerSegmentsOnASmallVolume() {
    long small = VolumeShares.logLimits(DEFAULTS, 256L << 20).segmentBytes();
    assertTrue(small < 26L << 20, "segments of " + small);
    assertEquals(64 << 20, VolumeShares.logLimits(DEFAULTS, 10L << 30).segmentBytes());
    assertEquals(64 << 20, VolumeShares.logLimits(DEFAULTS, Long.MAX_VALUE).segmentBytes());
  }
}
