package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.remote.protocol.FailureReason;
import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.protocol.FrameCodec;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.Subjects;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Periodic work of a host. */
class HandlerHostTickTest {
  private static final long BEAT = RemoteTimeouts.DEFAULTS.heartbeat().toNanos();

  @Test
  void shouldBeatWhileItsDatabaseForgetsSlowly() throws Exception {
    EngineLimits engine = EngineLimits.defaults();
    RemoteHarness.TestClock clock = new RemoteHarness.TestClock();
    MemoryTransport network = new MemoryTransport(new FrameCodec(engine, RemoteLimits.DEFAULTS), 1);
    AtomicInteger beats = new AtomicInteger();
    network.subscribe(
        new Subjects(HostSettings.PREFIX).heartbeats(), "", beat -> beats.incrementAndGet());
    HostSettings settings =
        new HostSettings(
            HostSettings.PREFIX, 1, null, RemoteLimits.DEFAULTS, RemoteTimeouts.DEFAULTS);
    SlowTable table = new SlowTable();
    try (HandlerHost host =
        new HandlerHost(settings, new TreeMap<>(), network, engine, clock, table)) {
      clock.advance(Duration.ofMinutes(2).toNanos());
      host.tick();
      assertTrue(table.entered.await(30, TimeUnit.SECONDS));
      clock.advance(Duration.ofMinutes(2).toNanos());
      host.tick();
      clock.advance(BEAT);
      host.tick();
      network.deliver();

      assertEquals(3, beats.get());
      assertEquals(1, table.begun.get(), "one at a time");
      table.release.countDown();
      table.left.await();
      assertFalse(table.late, "the host went on only when the database had given up");
    }
  }

  /** When a host is asked to leave while a message arrives, the message is run or refused. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void shouldOweNothingWhenItIsToldToLeaveAmidAMessage(int look) throws Exception {
    EngineLimits engine = EngineLimits.defaults();
    FrameCodec codec = new FrameCodec(engine, RemoteLimits.DEFAULTS);
    Subjects subjects = new Subjects(HostSettings.PREFIX);
    HandlerFactory check = RemoteHarness.kind("check", (_, _) -> Verdict.UNCHANGED);
    BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
    UUID requester = UUID.randomUUID();
    WatchedClock clock = new WatchedClock();
    try (LoopTransport network = new LoopTransport();
        HandlerHost host =
            new HandlerHost(
                new HostSettings(
                    HostSettings.PREFIX, 1, null, RemoteLimits.DEFAULTS, RemoteTimeouts.DEFAULTS),
                new TreeMap<>(Map.of(check.name(), check)),
                network,
                engine,
                clock)) {
      network.subscribe(subjects.requester(requester), "", answers::add);
      Message message =
          Message.of(MessageId.random(), Point.REQUEST_IN, Map.of("a", "1"), Body.EMPTY);
      HandlerTask handlerTask =
          new HandlerTask(
              HandlerOperation.HANDLE,
              "chain",
              "step",
              check.name(),
              Payload.EMPTY_OBJECT,
              message);

      clock.at(look, () -> host.drain(Duration.ZERO));
      network.send(
          subjects.kind(check.name()),
          codec.write(new Frame.Run(requester, 1, 1, List.of(), 5_000, handlerTask)));

      Frame last;
      do {
        last = codec.read(Objects.requireNonNull(answers.poll(30, TimeUnit.SECONDS)));
      } while (last instanceof Frame.Begun);
      boolean refused =
          last instanceof Frame.Failed failed && failed.reason() == FailureReason.BUSY;
      assertTrue(refused || last instanceof Frame.Done, last::toString);
      assertTrue(host.drain(Duration.ofSeconds(5)), () -> "under way: " + host.statistics());
      assertEquals(refused ? 0 : 1, host.statistics().done());
    }
  }

  /** Does something when it is read for the n-th time from now on. */
  private static final class WatchedClock implements Clock {
    private final Clock system = Clock.system();
    private volatile Runnable action = () -> {};
    private final AtomicInteger left = new AtomicInteger();

    void at(int look, Runnable does) {
      action = does;
      left.set(look);
    }

    @Override
    public long nanoTime() {
      if (left.getAndDecrement() == 1) {
        action.run();
      }
      return system.nanoTime();
    }

    @Override
    public long epochMillis() {
      return system.epochMillis();
    }

    @Override
    public String scale() {
      return system.scale();
    }
  }

  /** Forgets on request, or after half a minute. */
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
