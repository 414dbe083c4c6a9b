package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.InDoubtException;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.remote.protocol.FrameCodec;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.NatsTransport;
import dev.pinion.handlers.remote.transport.Subjects;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requester and hosts over a real NATS server, which is killed meanwhile. */
class NatsTest {
  private static final EngineLimits ENGINE = EngineLimits.defaults();
  private static final FrameCodec CODEC = new FrameCodec(ENGINE, RemoteLimits.DEFAULTS);
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  @TempDir private Path folder;

  /** Number of effects of each message. */
  private final Map<String, Integer> effects = new ConcurrentHashMap<>();

  @Test
  void shouldRunHandlersOverARealServer() throws Exception {
    kills(200, 0);
  }

  @Test
  void shouldAnswerEveryMessageWhileServerAndHostsAreKilled() throws Exception {
    kills(300, 3);
  }

  @Test
  @Tag("long")
  void shouldAnswerTenThousandMessagesUnderFiftyKills() throws Exception {
    kills(10_000, 50);
  }

  private void kills(int messages, int kills) throws Exception {
    long seed = Long.getLong("pinion.seed", 20_261_122);
    System.out.println("NATS under " + kills + " kills, seed " + seed);
    Random random = new Random(seed);
    try (NatsServer server = NatsServer.start();
        NatsTransport transport = NatsTransport.connect(server.url(), "requester");
        ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor()) {
      Requester requester =
          new Requester(
              transport,
              null,
              CODEC,
              new Subjects(HostSettings.PREFIX),
              RemoteSettings.DEFAULTS,
              Clock.system(),
              Runnable::run);
      List<Host> hosts = new ArrayList<>(List.of(new Host(server), new Host(server)));
      ScheduledFuture<?> turning =
          turns.scheduleWithFixedDelay(requester::tick, 5, 5, TimeUnit.MILLISECONDS);
      List<RemoteHarness.Pending> all = new ArrayList<>();
      int every = kills == 0 ? Integer.MAX_VALUE : messages / kills;
      for (int i = 0; i < messages; i++) {
        all.add(send(requester, i));
        if (i % every == every - 1) {
          if (random.nextInt(3) == 0) {
            server.killAndStart();
          } else {
            hosts.remove(random.nextInt(hosts.size())).kill();
            hosts.add(new Host(server));
          }
        }
        int from = Math.max(0, i - 64); // no more than that many at once
        await(all.get(from));
      }
      for (RemoteHarness.Pending each : all) {
        await(each);
      }
      check(all, kills, requester);
      turning.cancel(false);
      for (Host host : hosts) {
        host.kill();
      }
      requester.close();
    }
  }

  private void check(List<RemoteHarness.Pending> all, int kills, Requester requester) {
    int done = 0;
    for (RemoteHarness.Pending each : all) {
      Object first = each.told.getFirst();
      if (first instanceof Verdict verdict) {
        assertEquals(Verdict.goOn(Changes.NONE.property("y", "1")), verdict);
        done++;
      } else if (kills == 0) {
        assertInstanceOf(Verdict.class, first);
      } else {
        assertTrue(
            first instanceof InDoubtException || first instanceof RemoteHandlerException,
            each.text());
      }
    }
    RemoteStatistics seen = requester.statistics();
    System.out.println(done + " of " + all.size() + " done: " + seen);
    assertTrue(
        seen.sentAgain() <= seen.lostHosts() + seen.busy(),
        "expected every further sending to have its reason, found " + seen);
    assertTrue(effects.size() >= done, effects.size() + " effects");
    assertTrue(effects.values().stream().allMatch(times -> times == 1), "made more than once");
    assertTrue(done >= all.size() * 3 / 4, done + " done");
  }

  private static RemoteHarness.Pending send(Requester requester, int number) {
    RemoteHarness.Pending pending = new RemoteHarness.Pending();
    Message message =
        Message.of(
            new MessageId(7, number),
            Point.REQUEST_IN,
            Map.of("x", "1"),
            Body.of(Payload.of(number)));
    requester.begin(
        new HandlerTask(
            HandlerOperation.HANDLE, "chain", "step", "effect", Payload.EMPTY_OBJECT, message),
        false,
        TimeUnit.SECONDS.toNanos(20),
        pending);
    return pending;
  }

  private static void await(RemoteHarness.Pending pending) {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (pending.told.isEmpty()) {
      assertTrue(System.nanoTime() - until < 0, "expected an answer within a minute, found none");
      LockSupport.parkNanos(100_000);
    }
  }

  /** A host in this process, with a separate connection that a kill cuts. */
  private final class Host {
    private final NatsTransport transport;
    private final HandlerHost host;
    private final ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> turning;

    Host(NatsServer server) throws Exception {
      transport = NatsTransport.connect(server.url(), "host");
      HandlerFactory effect =
          RemoteHarness.kind(
              "effect",
              EffectClass.ATOMIC,
              (handlerOperation, view) -> {
                effects.merge(view.id().toString(), 1, Integer::sum);
                return Verdict.goOn(Changes.NONE.property("y", "1"));
              });
      host =
          new HandlerHost(
              new HostSettings(
                  HostSettings.PREFIX,
                  2,
                  "jdbc:sqlite:" + folder.resolve("effects.db"),
                  RemoteLimits.DEFAULTS,
                  RemoteTimeouts.DEFAULTS),
              new TreeMap<>(Map.of("effect", effect)),
              transport,
              ENGINE,
              Clock.system());
      turning = turns.scheduleWithFixedDelay(host::tick, 0, 20, TimeUnit.MILLISECONDS);
    }

    /** Cut off at once and silently; its work continues without anyone noticing. */
    void kill() {
      turning.cancel(true);
      turns.shutdownNow();
      transport.close();
    }
  }
}
