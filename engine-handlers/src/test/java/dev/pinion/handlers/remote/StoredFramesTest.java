package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.remote.protocol.FrameCodec;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.NatsTransport;
import dev.pinion.handlers.remote.transport.StoreLimits;
import dev.pinion.handlers.remote.transport.Subjects;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that a NATS server stores until a host has processed them. */
class StoredFramesTest {
  private static final EngineLimits ENGINE = EngineLimits.defaults();
  private static final Subjects SUBJECTS = new Subjects(HostSettings.PREFIX);
  private static final StoreLimits LIMITS = new StoreLimits(1, 1, Duration.ofSeconds(1), 3);
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  @TempDir private Path folder;

  /** Number of runs of each message. */
  private final Map<String, Integer> calls = new ConcurrentHashMap<>();

  private final List<Host> hosts = new ArrayList<>();
  private NatsServer server;
  private @Nullable Engine engine;

  @BeforeEach
  void startServer() throws Exception {
    server = NatsServer.start("--jetstream", "--store_dir", folder.resolve("store").toString());
  }

  @AfterEach
  void stop() throws Exception {
    if (engine != null) {
      engine.close();
    }
    hosts.forEach(Host::kill);
    if (server != null) { // none was started without the command
      server.close();
    }
  }

  private HandlerFactory counting(EffectClass effect) {
    return RemoteHarness.kind(
        "count",
        effect,
        (handlerOperation, view) -> {
          calls.merge(view.id().toString(), 1, Integer::sum);
          return Verdict.UNCHANGED;
        });
  }

  @Test
  void shouldOutlastEngineServerAndTheAbsenceOfEveryHost() throws Exception {
    new Host(counting(EffectClass.STATELESS)).kill(); // after a host, which created the stream
    engine = new Engine();
    List<RemoteHarness.Pending> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(engine.store(i, ""));
    }
    for (RemoteHarness.Pending each : all) {
      until(() -> !each.told.isEmpty());
      assertEquals(List.of(Verdict.UNCHANGED), each.told);
    }
    assertEquals(20, engine.requester.statistics().stored());
    engine.close();
    server.killAndStart();

    Host host = new Host(counting(EffectClass.STATELESS));

    until(() -> host.host.statistics().done() == 20 && host.host.statistics().inFlight() == 0);
    assertEquals(20, calls.size());
    assertTrue(calls.values().stream().allMatch(each -> each == 1), calls.toString());
  }

  @Test
  void shouldGiveAMessageOfALostHostToAnother() throws Exception {
    assertEquals(2, afterALoss(EffectClass.STATELESS, null));
    assertEquals(0, hosts.getLast().host.statistics().givenUp());
  }

  @Test
  void shouldTakeOverAnEffectOfALostHost() throws Exception {
    assertEquals(2, afterALoss(EffectClass.TRANSACTIONAL, database()));
    assertEquals(1, hosts.getLast().host.statistics().takenOver());
  }

  @Test
  void shouldNotRepeatAnEffectOfALostHostThatMayBeThere() throws Exception {
    assertEquals(1, afterALoss(EffectClass.NON_ATOMIC, database()));
    assertEquals(1, hosts.getLast().host.statistics().givenUp());
  }

  @Test
  void shouldNotRepeatAnEffectThatMayBeThereWithoutATable() throws Exception {
    assertEquals(1, afterALoss(EffectClass.ATOMIC, null));
    assertEquals(1, hosts.getLast().host.statistics().givenUp());
  }

  private String database() {
    return "jdbc:sqlite:" + folder.resolve("effects.db");
  }

  /** Loses a host in the middle of a message, and starts another one; returns the calls. */
  private int afterALoss(EffectClass effect, @Nullable String effects) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    HandlerFactory blocking =
        RemoteHarness.kind(
            "count",
            effect,
            (handlerOperation, view) -> {
              if (calls.merge(view.id().toString(), 1, Integer::sum) == 1) {
                entered.countDown();
                release.await(30, TimeUnit.SECONDS);
              }
              return Verdict.UNCHANGED;
            });
    Host first = new Host(effects, blocking);
    engine = new Engine();
    engine.store(1, "");
    assertTrue(entered.await(30, TimeUnit.SECONDS));
    first.kill();

    HandlerHost second = new Host(effects, blocking).host;

    until(() -> second.statistics().done() + second.statistics().givenUp() == 1);
    until(() -> second.statistics().inFlight() == 0);
    release.countDown();
    return calls.values().iterator().next();
  }

  @Test
  void shouldRunAgainWhatFailsUpToTheMostDeliveries() throws Exception {
    HandlerFactory failing =
        RemoteHarness.kind(
            "count",
            (handlerOperation, view) -> {
              calls.merge(view.id().toString(), 1, Integer::sum);
              throw new IllegalStateException("fails");
            });
    HandlerHost host = new Host(failing).host;
    engine = new Engine();
    engine.store(1, "");

    until(() -> host.statistics().givenUp() == 1);
    until(() -> host.statistics().inFlight() == 0); // the drop is counted a moment before
    assertEquals(LIMITS.maxDeliveries(), calls.values().iterator().next());
  }

  @Test
  void shouldHoldWhatAHostHasNoRoomForWithoutGivingItUp() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    HandlerFactory blocking =
        RemoteHarness.kind(
            "count",
            (handlerOperation, view) -> {
              release.await(30, TimeUnit.SECONDS);
              calls.merge(view.id().toString(), 1, Integer::sum);
              return Verdict.UNCHANGED;
            });
    HandlerHost host = new Host(null, RemoteLimits.DEFAULTS.withHostWindow(2), blocking).host;
    engine = new Engine();
    for (int i = 0; i < 6; i++) {
      engine.store(i, "");
    }
    // no room for some, more often than a message may be begun
    until(() -> host.statistics().busy() > 4L * (LIMITS.maxDeliveries() + 2));
    assertEquals(2, host.statistics().inFlight());
    release.countDown();

    until(() -> host.statistics().done() == 6 && host.statistics().inFlight() == 0);
    assertEquals(6, calls.size());
    assertTrue(calls.values().stream().allMatch(each -> each == 1), calls.toString());
    assertEquals(0, host.statistics().givenUp());
  }

  @Test
  void shouldRefuseWhatIsBeyondTheStore() throws Exception {
    new Host(counting(EffectClass.STATELESS)).kill();
    engine = new Engine();
    List<RemoteHarness.Pending> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      RemoteHarness.Pending each = engine.store(i, "x".repeat(300 << 10));
      until(() -> !each.told.isEmpty());
      all.add(each);
    }

    assertEquals(List.of(Verdict.UNCHANGED), all.get(2).told);
    Object last = all.get(3).told.getFirst();
    assertInstanceOf(RemoteHandlerException.class, last);
    assertTrue(last.toString().contains("maximum bytes exceeded"), last.toString());
    assertEquals(1, engine.requester.statistics().failed());
    assertEquals(0, engine.requester.statistics().inFlight());
  }

  @Test
  void shouldFailWhereNobodyKeepsMessages() throws Exception {
    engine = new Engine(); // there was never a host that created a stream
    RemoteHarness.Pending pending = engine.store(1, "");
    until(() -> !pending.told.isEmpty());

    assertTrue(pending.text().contains("expected a NATS server to keep the message"));
  }

  @Test
  void shouldBeForHandlersThatNobodyWaitsFor() throws Exception {
    String document =
        """
        chains:
        - name: a
          handlers:
          - {name: x, use: count, place: remote, oneway: true, delivery: stored}
        """;
    ChainReader reader =
        new ChainReader(
            HandlerKinds.of(List.of(counting(EffectClass.STATELESS))),
            ENGINE,
            remoteHandlerRequest -> {
              assertTrue(remoteHandlerRequest.stored());
              return remoteHandlerRequest.local();
            });
    Handler read = reader.read(document).getFirst().plan().steps().getFirst().handler();
    read.close();

    for (String wrong : List.of("oneway: true, ", "place: remote, ")) {
      InvalidChainsException refused =
          assertThrows(
              InvalidChainsException.class, () -> reader.read(document.replace(wrong, "")));
      String told = refused.problems().toString();
      assertTrue(told.contains("delivery") && told.contains("oneway handlers in hosts"), told);
    }
  }

  private static void until(BooleanSupplier is) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!is.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "expected it within a minute");
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** The side that stores. */
  private final class Engine implements AutoCloseable {
    private final NatsTransport transport = NatsTransport.connect(server.url(), "engine");
    private final ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor();
    private final Requester requester;
    private final ScheduledFuture<?> turning;

    Engine() throws Exception {
      requester =
          new Requester(
              transport,
              transport.store(SUBJECTS, LIMITS),
              new FrameCodec(ENGINE, RemoteLimits.DEFAULTS),
              SUBJECTS,
              RemoteSettings.DEFAULTS,
              Clock.system(),
              Runnable::run);
      turning = turns.scheduleWithFixedDelay(requester::tick, 5, 5, TimeUnit.MILLISECONDS);
    }

    RemoteHarness.Pending store(int number, String body) {
      RemoteHarness.Pending pending = new RemoteHarness.Pending();
      Message message =
          Message.of(
              new MessageId(5, number), Point.REQUEST_IN, Map.of(), Body.of(Payload.of(body)));
      HandlerTask handlerTask =
          new HandlerTask(
              HandlerOperation.HANDLE, "chain", "step", "count", Payload.EMPTY_OBJECT, message);
      requester.store(handlerTask, TimeUnit.SECONDS.toNanos(2), pending);
      return pending;
    }

    @Override
    public void close() {
      turning.cancel(true);
      turns.shutdownNow();
      requester.close();
      transport.close();
    }
  }

  /** A host in this process, with a separate connection that a kill cuts. */
  private final class Host {
    private final NatsTransport transport = NatsTransport.connect(server.url(), "host");
    private final ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor();
    private final HandlerHost host;
    private final ScheduledFuture<?> turning;

    Host(HandlerFactory kind) throws Exception {
      this(null, kind);
    }

    Host(@Nullable String effects, HandlerFactory kind) throws Exception {
      this(effects, RemoteLimits.DEFAULTS, kind);
    }

    Host(@Nullable String effects, RemoteLimits limits, HandlerFactory kind) throws Exception {
      host =
          new HandlerHost(
              new HostSettings(HostSettings.PREFIX, 2, effects, limits, RemoteTimeouts.DEFAULTS),
              new TreeMap<>(Map.of(kind.name(), kind)),
              transport,
              ENGINE,
              Clock.system());
      host.takeStored(transport, LIMITS);
      turning = turns.scheduleWithFixedDelay(host::tick, 0, 20, TimeUnit.MILLISECONDS);
      hosts.add(this);
    }

    void kill() {
      turning.cancel(true);
      turns.shutdownNow();
      transport.close();
    }
  }
}
