package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.EngineLimits;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a host does from time to time. */
class HostTurnsTest {
  private static final long BEAT = RemoteTimes.DEFAULTS.beat().toNanos();

  @Test
  void shouldBeatWhileItsDatabaseForgetsSlowly() throws Exception {
    EngineLimits engine = EngineLimits.defaults();
    Wire.TestClock clock = new Wire.TestClock();
    MemoryTransport network = new MemoryTransport(new FrameCodec(engine, RemoteLimits.DEFAULTS), 1);
    AtomicInteger beats = new AtomicInteger();
    network.subscribe(
        new Subjects(HostSettings.PREFIX).beats(), "", beat -> beats.incrementAndGet());
    HostSettings settings =
        new HostSettings(HostSettings.PREFIX, 1, null, RemoteLimits.DEFAULTS, RemoteTimes.DEFAULTS);
    SlowTable table = new SlowTable();
    try (HandlerHost host =
        new HandlerHost(settings, new TreeMap<>(), network, engine, clock, table)) {
      clock.advance(Duration.ofMinutes(2).toNanos());
      host.turn();
      assertTrue(table.entered.await(30, TimeUnit.SECONDS));
      clock.advance(Duration.ofMinutes(2).toNanos());
      host.turn();
      clock.advance(BEAT);
      host.turn();
      network.deliver();

      assertEquals(3, beats.get());
      assertEquals(1, table.begun.get(), "one at a time");
      table.release.countDown();
      table.left.await();
      assertFalse(table.late, "the host went on only when the database had given up");
    }
  }

  /** Forgets when it is told to, or after half a minute. */
  private static final class SlowTable implements EffectTable {
    private final EffectTable none = EffectTable.none();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private volatile boolean late;

    @Override
    public void forget() {
      begun.incrementAndGet();
      entered.countDown();
      try {
        late = !release.await(30, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      left.countDown();
    }

    @Override
    public String name() {
      return none.name();
    }

    @Override
    public EffectClaim begin(EffectKey key, UUID host, List<UUID> lost) throws SQLException {
      return none.begin(key, host, lost);
    }

    @Override
    public @Nullable UUID owner(EffectKey key) throws SQLException {
      return none.owner(key);
    }

    @Override
    public boolean end(EffectKey key, UUID host, byte[] answer) throws SQLException {
      return none.end(key, host, answer);
    }

    @Override
    public void close() {}
  }
}
