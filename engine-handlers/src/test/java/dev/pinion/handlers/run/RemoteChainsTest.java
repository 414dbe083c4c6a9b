package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.config.HandlerProvider;
import dev.pinion.handlers.config.HandlerProvider.RemoteHandlerRequest;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import dev.pinion.handlers.remote.BadTransport;
import dev.pinion.handlers.remote.HandlerHost;
import dev.pinion.handlers.remote.HostSettings;
import dev.pinion.handlers.remote.LoopTransport;
import dev.pinion.handlers.remote.NatsServer;
import dev.pinion.handlers.remote.RemoteHandlerProvider;
import dev.pinion.handlers.remote.RemoteSettings;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.FrameTransport;
import dev.pinion.handlers.remote.transport.NatsTransport;
import dev.pinion.handlers.remote.transport.StoreLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Chains whose handlers run in hosts, here, or wherever it is cheaper, end like the serial run
 * here, with the same effects, however they are grouped.
 */
class RemoteChainsTest {
  private static final ChainOptions ALWAYS =
      new ChainOptions(null, 2, ChainOptions.SideBySide.ALWAYS);

  // Long enough on a busy machine too, so that no handler is run by two hosts.
  private static final RemoteTimeouts TIMES =
      new RemoteTimeouts(
          Duration.ofMillis(500),
          Duration.ofMillis(100),
          Duration.ofMillis(50),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10));

  private static @Nullable NatsServer server;

  /** Handlers by seed and name; hosts find them here. */
  private final Map<String, Handler> handlers = new ConcurrentHashMap<>();

  private int stopped;
  private int effects;
  private int elsewhere;

  @AfterAll
  static void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  private static FrameTransport bad(String name, long seed) throws Exception {
    if (server == null) {
      server = NatsServer.start();
    }
    return new BadTransport(NatsTransport.connect(server.url(), name), seed);
  }

  @Test
  void shouldEndAsTheSerialRunDoes() throws Exception {
    LoopTransport network = new LoopTransport();
    check(100, Long.getLong("pinion.seed", 20_261_122), network, network, network);
  }

  @Test
  void shouldEndAsTheSerialRunDoesOverABadNetwork() throws Exception {
    overNats(100, Long.getLong("pinion.seed", 20_261_122));
  }

  @Test
  @Tag("long")
  void shouldEndAsTheSerialRunDoesForManyChains() throws Exception {
    overNats(1_000, Long.getLong("pinion.seed", System.nanoTime()));
  }

  private void overNats(int chains, long seed) throws Exception {
    FrameTransport engine = bad("engine", seed);
    FrameTransport first = bad("first", seed + 1);
    FrameTransport second = bad("second", seed + 2);
    check(chains, seed, engine, first, second);
    long lost = 0;
    long doubled = 0;
    for (FrameTransport each : List.of(engine, first, second)) {
      lost += ((BadTransport) each).lost();
      doubled += ((BadTransport) each).doubled();
    }
    System.out.println(lost + " frames lost, " + doubled + " came twice");
    assertTrue(lost > 0 && doubled > 0, "else the network was not bad");
  }

  private void check(
      int chains,
      long firstSeed,
      FrameTransport engine,
      FrameTransport first,
      FrameTransport second)
      throws Exception {
    System.out.println("remote chains from seed " + firstSeed + " on; -Dpinion.seed=N runs others");
    try (engine;
        first;
        second;
        WorkerPool pool = new WorkerPool(WorkerSettings.parked(3, 0), Clock.system());
        HandlerHost one = host(first);
        HandlerHost two = host(second);
        ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor();
        RemoteHandlerProvider places =
            new RemoteHandlerProvider(
                engine,
                HostSettings.PREFIX,
                Messages.LIMITS,
                new RemoteSettings(RemoteLimits.DEFAULTS, TIMES, StoreLimits.DEFAULTS),
                Clock.system())) {
      ScheduledFuture<?> turning =
          turns.scheduleWithFixedDelay(
              () -> {
                one.tick();
                two.tick();
              },
              0,
              20,
              TimeUnit.MILLISECONDS);
      for (long seed = firstSeed; seed < firstSeed + chains; seed++) {
        same(seed, chain -> ChainPlan.auto("random", chain.steps, ALWAYS), pool, places);
        same(seed, chain -> chain.byHand(ALWAYS), pool, places);
      }
      turning.cancel(false);
      System.out.println(
          stopped + " stopped, " + effects + " effects, " + elsewhere + " handlers elsewhere");
      assertTrue(one.statistics().runs() > chains / 4, one.statistics().toString());
      assertTrue(two.statistics().runs() > chains / 4, two.statistics().toString());
      assertEquals(0, places.statistics().inDoubt());
    }
    // Otherwise the chains would prove nothing.
    assertTrue(stopped > 0 && stopped < 2 * chains, stopped + " were stopped");
    assertTrue(effects > chains / 4, effects + " left effects");
    assertTrue(elsewhere > chains, elsewhere + " handlers were elsewhere");
  }

  private void same(
      long seed,
      Function<RandomChain, ChainPlan> layout,
      WorkerPool pool,
      RemoteHandlerProvider places)
      throws Exception {
    RandomChain serial = new RandomChain(seed);
    Outcome expected = SerialRun.run(layout.apply(serial), message(), Messages.LIMITS);
    RandomChain remote = new RandomChain(seed);
    place(seed, remote.steps, places);
    Chain chain = new Chain(layout.apply(remote), pool, Messages.LIMITS);
    Outcome found = Messages.through(chain, message());
    chain.close();
    remote.awaitClosed();

    assertEquals(told(expected), told(found), "seed " + seed);
    assertEquals(new TreeMap<>(serial.ledger), new TreeMap<>(remote.ledger), "seed " + seed);
    stopped += expected instanceof Outcome.Proceed ? 0 : 1;
    effects += serial.ledger.size();
  }

  /** The outcome; of problems only handler, status and type, because details name the place. */
  private static Object told(Outcome outcome) {
    return outcome instanceof Outcome.Refused(String handler, var problem)
        ? List.of(handler, problem.status(), problem.type())
        : outcome;
  }

  /** Places some steps in hosts, and lets others run wherever it is cheaper. */
  private void place(long seed, List<Step> steps, RemoteHandlerProvider places) {
    Random random = new Random(seed);
    String unique = UUID.randomUUID().toString();
    for (int i = 0; i < steps.size(); i++) {
      int drawn = random.nextInt(4);
      if (drawn > 0) { // otherwise it stays here
        steps.set(i, placed(unique, steps.get(i), places, drawn == 1));
        elsewhere++;
      }
    }
  }

  private Step placed(String unique, Step step, RemoteHandlerProvider places, boolean auto) {
    String key = unique + "/" + step.name();
    handlers.put(key, step.handler());
    Handler remote =
        places.provide(
            new RemoteHandlerRequest(
                "random",
                step.name(),
                "random",
                Payload.object(Map.of("key", Payload.of(key))),
                step.handler(),
                step.declaration(),
                auto ? HandlerProvider.Placement.AUTO : HandlerProvider.Placement.DIRECT));
    return new Step(step.name(), "random", remote, step.declaration(), step.partner());
  }

  private HandlerHost host(FrameTransport network) throws Exception {
    return new HandlerHost(
        new HostSettings(HostSettings.PREFIX, 2, null, RemoteLimits.DEFAULTS, TIMES),
        new TreeMap<>(Map.of("random", new Known())),
        network,
        Messages.LIMITS,
        Clock.system());
  }

  private static Message message() {
    return Messages.of("{\"x\":{\"y\":1},\"z\":[1,2]}");
  }

  private final class Known implements HandlerFactory {
    @Override
    public String name() {
      return "random";
    }

    @Override
    public String summary() {
      return "a handler of a random chain";
    }

    @Override
    public Handler create(Settings settings) {
      return Objects.requireNonNull(handlers.get(settings.text("key")));
    }
  }
}
