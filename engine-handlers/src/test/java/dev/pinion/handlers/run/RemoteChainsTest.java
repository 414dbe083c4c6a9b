package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.config.RemoteHandlers.Placement;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import dev.pinion.handlers.plan.Terms;
import dev.pinion.handlers.remote.HandlerHost;
import dev.pinion.handlers.remote.HostSettings;
import dev.pinion.handlers.remote.LoopTransport;
import dev.pinion.handlers.remote.RemoteLimits;
import dev.pinion.handlers.remote.RemotePlaces;
import dev.pinion.handlers.remote.RemoteTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Chains whose handlers are in hosts end as the serial run here does, with the same effects. */
class RemoteChainsTest {
  private static final Terms ALWAYS = new Terms(null, 2, Terms.SideBySide.ALWAYS);

  /** Handlers by seed and name; hosts find them here. */
  private final Map<String, Handler> handlers = new ConcurrentHashMap<>();

  private final LoopTransport network = new LoopTransport();

  @AfterEach
  void closeNetwork() {
    network.close();
  }

  @Test
  void shouldEndAsTheSerialRunDoes() throws Exception {
    check(60, Long.getLong("pinion.seed", 20_261_122));
  }

  @Test
  @Tag("long")
  void shouldEndAsTheSerialRunDoesForManyChains() throws Exception {
    check(1_000, Long.getLong("pinion.seed", System.nanoTime()));
  }

  private void check(int chains, long firstSeed) throws Exception {
    System.out.println("remote chains from seed " + firstSeed + " on; -Dpinion.seed=N runs others");
    int stopped = 0;
    int effects = 0;
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(3, 0), Clock.system());
        HandlerHost one = host();
        HandlerHost two = host();
        RemotePlaces places =
            new RemotePlaces(
                network,
                HostSettings.PREFIX,
                Messages.LIMITS,
                RemoteLimits.DEFAULTS,
                RemoteTimes.DEFAULTS,
                Clock.system())) {
      for (long seed = firstSeed; seed < firstSeed + chains; seed++) {
        RandomChain serial = new RandomChain(seed);
        Outcome expected =
            SerialRun.run(
                ChainPlan.auto("random", serial.steps, ALWAYS), message(), Messages.LIMITS);
        RandomChain remote = new RandomChain(seed);
        List<Step> placed = placed(seed, remote.steps, places);
        Chain chain = new Chain(ChainPlan.auto("random", placed, ALWAYS), pool, Messages.LIMITS);
        Outcome found = Messages.through(chain, message());
        chain.close();

        assertEquals(told(expected), told(found), "seed " + seed);
        assertEquals(new TreeMap<>(serial.ledger), new TreeMap<>(remote.ledger), "seed " + seed);
        stopped += expected instanceof Outcome.Proceed ? 0 : 1;
        effects += serial.ledger.size();
        one.turn();
        two.turn();
      }
      assertTrue(one.statistics().runs() > chains / 4, one.statistics().toString());
      assertTrue(two.statistics().runs() > chains / 4, two.statistics().toString());
    }
    // Else the chains would not show anything.
    assertTrue(stopped > 0 && stopped < chains, stopped + " were stopped");
    assertTrue(effects > chains / 4, effects + " left effects");
  }

  /** The outcome; of problems who stopped it and how, because details name what failed where. */
  private static Object told(Outcome outcome) {
    return outcome instanceof Outcome.Refused(String handler, var problem)
        ? List.of(handler, problem.status(), problem.type())
        : outcome;
  }

  private List<Step> placed(long seed, List<Step> steps, RemotePlaces places) {
    List<Step> placed = new ArrayList<>();
    for (Step step : steps) {
      String key = seed + "/" + step.name();
      handlers.put(key, step.handler());
      Handler remote =
          places.place(
              new Placement(
                  "random",
                  step.name(),
                  "random",
                  Payload.object(Map.of("key", Payload.of(key))),
                  step.handler(),
                  step.declaration(),
                  "",
                  false));
      placed.add(new Step(step.name(), "random", remote, step.declaration(), step.partner()));
    }
    return placed;
  }

  private HandlerHost host() throws Exception {
    return new HandlerHost(
        new HostSettings(HostSettings.PREFIX, 2, null, RemoteLimits.DEFAULTS, RemoteTimes.DEFAULTS),
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
