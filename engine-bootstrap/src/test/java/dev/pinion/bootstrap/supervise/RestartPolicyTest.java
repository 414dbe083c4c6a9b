package dev.pinion.bootstrap.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RestartPolicyTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final RestartPolicy policy = new RestartPolicy(Duration.ofSeconds(60));

  @Test
  void shouldRestartAtOnceThenAfterDoublingDelaysThenGiveUp() {
    assertEquals(OptionalLong.of(0), policy.onDeath(0, 1 * SECOND));
    assertEquals(OptionalLong.of(1 * SECOND), policy.onDeath(1 * SECOND, 2 * SECOND));
    assertEquals(OptionalLong.of(2 * SECOND), policy.onDeath(3 * SECOND, 4 * SECOND));
    assertEquals(OptionalLong.of(4 * SECOND), policy.onDeath(6 * SECOND, 7 * SECOND));
    assertEquals(OptionalLong.empty(), policy.onDeath(11 * SECOND, 12 * SECOND));
  }

  @Test
  void shouldNotWaitLongerThanHalfAMinute() {
    // given deaths too far apart for a crash loop, of replicas that live too briefly
    long now = 0;
    OptionalLong delay = OptionalLong.empty();

    // when
    for (int i = 0; i < 20; i++) {
      delay = policy.onDeath(now, now + 20 * SECOND);
      now += 20 * SECOND;
    }

    // then
    assertEquals(OptionalLong.of(30 * SECOND), delay);
  }

  @Test
  void shouldForgetEarlierDeathsOnceAReplicaLivedForAMinute() {
    policy.onDeath(0, SECOND);
    policy.onDeath(SECOND, 2 * SECOND);

    assertEquals(OptionalLong.of(0), policy.onDeath(3 * SECOND, 63 * SECOND));
  }

  @Test
  void shouldCountOnlyDeathsWithinTheWindow() {
    for (int i = 0; i < 4; i++) {
      policy.onDeath(i * SECOND, i * SECOND);
    }

    OptionalLong delay = policy.onDeath(5 * SECOND, 62 * SECOND);

    assertEquals(OptionalLong.of(8 * SECOND), delay);
  }
}
