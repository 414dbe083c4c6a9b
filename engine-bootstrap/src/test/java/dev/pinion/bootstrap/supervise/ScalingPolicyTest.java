package dev.pinion.bootstrap.supervise;

import static dev.pinion.bootstrap.supervise.ScalingPolicy.Decision.ADD;
import static dev.pinion.bootstrap.supervise.ScalingPolicy.Decision.REMOVE;
import static dev.pinion.bootstrap.supervise.ScalingPolicy.Decision.STAY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.supervise.ScalingPolicy.Decision;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScalingPolicyTest {
  private static final long BUSY = ScalingSettings.ADD_DELAY_MICROS;
  private static final long IDLE = ScalingSettings.REMOVE_DELAY_MICROS;
  private static final long BETWEEN = (BUSY + IDLE) / 2;
  private static final long ADD_SECONDS = ScalingSettings.ADD_AFTER.toSeconds();
  private static final long REMOVE_SECONDS = ScalingSettings.REMOVE_AFTER.toSeconds();

  private final ScalingPolicy policy = new ScalingPolicy(ScalingSettings.between(1, 3));
  private long seconds = -5;

  @Test
  void shouldAddOnceWorkWaitedTooLongForLongEnough() {
    assertEquals(STAY, after(ADD_SECONDS, BUSY, BUSY));
    assertEquals(ADD, after(1, BUSY, BUSY));
  }

  @Test
  void shouldLookAtTheAverageToAdd() {
    assertEquals(STAY, after(ADD_SECONDS * 2, 2 * BUSY - 2, 0));
    assertEquals(ADD, after(ADD_SECONDS + 1, 2 * BUSY, 0));
  }

  @Test
  void shouldRemoveOnceNoReplicaHadWorkWaitingForLongEnough() {
    assertEquals(STAY, after(REMOVE_SECONDS, IDLE, IDLE));
    assertEquals(REMOVE, after(1, IDLE, IDLE));
  }

  @Test
  void shouldNotRemoveWhileOneReplicaHasWorkWaiting() {
    assertEquals(STAY, after(REMOVE_SECONDS * 2, IDLE + 1, 0));
  }

  @Test
  void shouldRemoveThoughAHostIsSlowNowAndThen() {
    // given one poll in ten with a longer delay, as other load on the host causes
    Decision decision = STAY;
    long looks = 0;
    while (decision == STAY && looks < 10 * REMOVE_SECONDS) {
      decision = after(1, looks % 10 == 9 ? BETWEEN : 0, 0);
      looks++;
    }

    // then it takes longer than without, but ends
    assertEquals(REMOVE, decision);
    assertTrue(looks > 2 * REMOVE_SECONDS, "looks " + looks);
  }

  @Test
  void shouldNotRemoveWhereDelaysAreFrequent() {
    for (int i = 0; i < 20 * REMOVE_SECONDS; i++) {
      assertEquals(STAY, after(1, i % 5 == 4 ? BETWEEN : 0, 0));
    }
  }

  @Test
  void shouldStayBetweenTheThresholds() {
    assertEquals(STAY, after(REMOVE_SECONDS * 10, BETWEEN, BETWEEN));
  }

  @Test
  void shouldStayWithinItsBounds() {
    assertEquals(STAY, after(ADD_SECONDS * 2, BUSY, BUSY, BUSY));
    assertEquals(STAY, after(REMOVE_SECONDS * 2, IDLE));
  }

  @Test
  void shouldNotFollowALoadThatFlaps() {
    for (int i = 0; i < 500; i++) {
      assertEquals(STAY, after(ADD_SECONDS, BUSY, BUSY));
      assertEquals(STAY, after(REMOVE_SECONDS, 0, 0));
    }
  }

  @Test
  void shouldRestAfterAChange() {
    assertEquals(ADD, after(ADD_SECONDS + 1, BUSY));
    assertEquals(STAY, after(ScalingSettings.REST.toSeconds() + ADD_SECONDS - 1, BUSY, BUSY));
    assertEquals(ADD, after(1, BUSY, BUSY));
  }

  @Test
  void shouldForgetWhatItSawWhenToldTo() {
    after(ADD_SECONDS, BUSY);
    policy.forget();

    assertEquals(STAY, after(ADD_SECONDS, BUSY));
  }

  @Test
  void shouldRefuseThresholdsThatLeaveNoGap() {
    Duration time = Duration.ofSeconds(1);

    assertThrows(
        IllegalArgumentException.class,
        () -> new ScalingSettings(1, 2, 1_000, time, 1_000, time, time));
    assertThrows(IllegalArgumentException.class, () -> ScalingSettings.between(0, 2));
    assertThrows(IllegalArgumentException.class, () -> ScalingSettings.between(3, 2));
  }

  /** Polls once a second; returns the decision of the last poll, if there was none before. */
  private Decision after(long looks, long... delays) {
    Decision decision = STAY;
    for (long i = 0; i < looks; i++) {
      assertEquals(STAY, decision);
      decision =
          policy.decide(
              Duration.ofSeconds(seconds++).toNanos(), LongStream.of(delays).boxed().toList());
    }
    return decision;
  }
}
