package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LiveHostsTest {
  private static final long SILENCE = RemoteTimeouts.DEFAULTS.silence().toNanos();
  private static final long BEAT = RemoteTimeouts.DEFAULTS.heartbeat().toNanos();

  private final UUID first = new UUID(1, 1);
  private final UUID second = new UUID(2, 2);
  private final UUID third = new UUID(3, 3);
  private final LiveHosts liveHosts =
      new LiveHosts(
          RemoteTimeouts.DEFAULTS,
          RemoteSettings.DEFAULTS.with(Map.of("handlers.remote.maxHosts", 2)).limits());

  @Test
  void shouldTakeSilenceForDeathAtItsEdge() {
    liveHosts.onHeartbeat(first, 0);

    assertTrue(liveHosts.isResponsive(first, 2 * BEAT));
    assertFalse(liveHosts.isResponsive(first, 2 * BEAT + 1));
    assertTrue(liveHosts.isLive(first, SILENCE));
    assertEquals(1, liveHosts.count(SILENCE));
    assertFalse(liveHosts.isLive(first, SILENCE + 1));
    assertEquals(0, liveHosts.count(SILENCE + 1));
    assertFalse(liveHosts.isLive(second, 0), "never heard of");
  }

  @Test
  void shouldBelieveWhoSaysGoodbye() {
    liveHosts.onHeartbeat(first, 0);
    liveHosts.onLeave(first);

    assertFalse(liveHosts.isLive(first, 1));
  }

  @Test
  void shouldTrustEveryoneForATimeWithoutAConnection() {
    liveHosts.onHeartbeat(first, 0);
    liveHosts.suspendExpiry(5 * SILENCE);

    assertTrue(liveHosts.isLive(first, 6 * SILENCE - 1));
    assertFalse(liveHosts.isResponsive(first, 6 * SILENCE - 1), "which is no reason to ask it");
    assertFalse(liveHosts.isLive(first, 6 * SILENCE));
  }

  @Test
  void shouldHearWhileOwnBeatsComeBack() {
    assertFalse(liveHosts.isReceiving(0), "nothing was heard");
    liveHosts.onOwnHeartbeat(0);

    assertTrue(liveHosts.isReceiving(2 * BEAT));
    assertFalse(liveHosts.isReceiving(2 * BEAT + 1));
    assertEquals(0, liveHosts.count(0), "it is no other host");
  }

  @Test
  void shouldKeepTrackOfNoMoreThanTheMost() {
    assertTrue(liveHosts.onHeartbeat(first, 0));
    assertTrue(liveHosts.onHeartbeat(second, 0));
    assertFalse(liveHosts.onHeartbeat(third, SILENCE));
    assertTrue(liveHosts.onHeartbeat(second, SILENCE), "known already");

    assertTrue(liveHosts.onHeartbeat(third, SILENCE + 1), "in the place of one that is lost");
    assertEquals(2, liveHosts.count(SILENCE + 1));
  }
}
