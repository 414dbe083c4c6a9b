package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CpuTimeScalingTest {
  private final CpuTimeScaling scale = new CpuTimeScaling();

  @Test
  void shouldScaleSamplesToTheTimeOfTheirThread() {
    scale.sampled(7, 5);
    scale.sampled(7, 5);
    scale.accounted(7, "kernel-0", 30);

    assertEquals(15, scale.weight(7, 5));
    assertTrue(scale.isKnown());
  }

  @Test
  void shouldLeaveSamplesOfThreadsThatEnded() {
    scale.sampled(7, 5);

    assertEquals(5, scale.weight(7, 5));
    assertFalse(scale.isKnown());
  }

  @Test
  void shouldTellOfThreadsWithoutSamples() {
    scale.sampled(7, 5);
    scale.accounted(7, "kernel-0", 30);
    scale.accounted(8, "GC Thread#0", 40);
    List<String> unsampled = new ArrayList<>();

    scale.forEachUnsampled((name, nanos) -> unsampled.add(name + " " + nanos));

    assertEquals(List.of("GC Thread#0 40"), unsampled);
  }
}
