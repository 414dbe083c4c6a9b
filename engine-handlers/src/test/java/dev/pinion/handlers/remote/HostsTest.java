package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HostsTest {
  private static final long SILENCE = RemoteTimes.DEFAULTS.silence().toNanos();
  private static final long BEAT = RemoteTimes.DEFAULTS.beat().toNanos();

  private final UUID first = new UUID(1, 1);
  private final UUID second = new UUID(2, 2);
  private final UUID third = new UUID(3, 3);
  private final Hosts hosts =
      new Hosts(
          RemoteTimes.DEFAULTS,
          RemoteSettings.DEFAULTS.with(Map.of("handlers.remote.maxHosts", 2)).limits());

  @Test
  void shouldTakeSilenceForDeathAtItsEdge() {
    hosts.seen(first, 0);

    assertTrue(hosts.speaks(first, 2 * BEAT));
    assertFalse(hosts.speaks(first, 2 * BEAT + 1));
    assertTrue(hosts.lives(first, SILENCE));
    assertEquals(1, hosts.count(SILENCE));
    assertFalse(hosts.lives(first, SILENCE + 1));
    assertEquals(0, hosts.count(SILENCE + 1));
    assertFalse(hosts.lives(second, 0), "never heard of");
  }

  @Test
  void shouldBelieveWhoSaysGoodbye() {
    hosts.seen(first, 0);
    hosts.gone(first);

    assertFalse(hosts.lives(first, 1));
  }

  @Test
  void shouldTrustEveryoneForATimeWithoutAConnection() {
    hosts.seen(first, 0);
    hosts.trust(5 * SILENCE);

    assertTrue(hosts.lives(first, 6 * SILENCE - 1));
    assertFalse(hosts.speaks(first, 6 * SILENCE - 1), "which is no reason to ask it");
    assertFalse(hosts.lives(first, 6 * SILENCE));
  }

  @Test
  void shouldHearWhileOwnBeatsComeBack() {
    assertFalse(hosts.hears(0), "nothing was heard");
    hosts.ownBeat(0);

    assertTrue(hosts.hears(2 * BEAT));
    assertFalse(hosts.hears(2 * BEAT + 1));
    assertEquals(0, hosts.count(0), "it is no other host");
  }

  @Test
  void shouldKeepTrackOfNoMoreThanTheMost() {
    assertTrue(hosts.seen(first, 0));
    assertTrue(hosts.seen(second, 0));
    assertFalse(hosts.seen(third, SILENCE));
    assertTrue(hosts.seen(second, SILENCE), "known already");

    assertTrue(hosts.seen(third, SILENCE + 1), "in the place of one that is lost");
    assertEquals(2, hosts.count(SILENCE + 1));
  }
}
