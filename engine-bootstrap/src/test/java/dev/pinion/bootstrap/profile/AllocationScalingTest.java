package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AllocationScalingTest {
  private static final long THREAD = 7;

  private final AllocationScaling scale = new AllocationScaling();

  @Test
  void shouldLeaveOutWhatWasAllocatedBeforeTheProfile() {
    scale.counted(THREAD, 100, 1_000_000);
    scale.sampled(THREAD, 110, 1_000_100);
    scale.sampled(THREAD, 120, 300);
    scale.sampled(THREAD, 130, 100);
    scale.counted(THREAD, 200, 1_000_900);

    assertEquals(300, scale.weight(THREAD, 110, 1_000_100), 1e-6);
    assertEquals(450, scale.weight(THREAD, 120, 300), 1e-6);
    assertEquals(150, scale.weight(THREAD, 130, 100), 1e-6);
  }

  @Test
  void shouldGiveASingleSampleWhatTheJvmCounted() {
    scale.counted(THREAD, 100, 5_000);
    scale.sampled(THREAD, 150, 5_070);
    scale.counted(THREAD, 200, 5_080);

    assertEquals(80, scale.weight(THREAD, 150, 5_070), 1e-6);
  }

  @Test
  void shouldBelieveSamplesOfThreadsThatStartedMeanwhile() {
    scale.sampled(THREAD, 150, 70);
    scale.sampled(THREAD, 160, 30);
    scale.counted(THREAD, 200, 120);

    assertEquals(70, scale.weight(THREAD, 150, 70), 1e-6);
    assertEquals(30, scale.weight(THREAD, 160, 30), 1e-6);
  }

  @Test
  void shouldNotBelieveTheFirstSampleOfAThreadThatEndedMeanwhile() {
    scale.counted(THREAD, 100, 1_000_000);
    scale.sampled(THREAD, 110, 1_000_100);
    scale.sampled(THREAD, 120, 300);

    assertEquals(300, scale.weight(THREAD, 110, 1_000_100), 1e-6);
  }

  @Test
  void shouldNotBelieveTheFirstSampleOfAThreadThatAllocatesWhileTheProfileBegins() {
    scale.sampled(THREAD, 95, 1_000_000);
    scale.counted(THREAD, 100, 1_000_100);
    scale.begun(105);
    scale.sampled(THREAD, 120, 400);
    scale.counted(THREAD, 200, 1_000_700);

    assertEquals(300, scale.weight(THREAD, 95, 1_000_000), 1e-6);
    assertEquals(300, scale.weight(THREAD, 120, 400), 1e-6);
  }

  @Test
  void shouldBelieveSamplesOfThreadsThatStartedAfterTheBeginning() {
    scale.begun(105);
    scale.sampled(THREAD, 150, 70);
    scale.counted(THREAD, 200, 120);

    assertEquals(70, scale.weight(THREAD, 150, 70), 1e-6);
  }
}
