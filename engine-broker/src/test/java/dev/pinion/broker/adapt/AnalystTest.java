package dev.pinion.broker.adapt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Mode;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.Options;
import dev.pinion.broker.model.ParallelResponse;
import dev.pinion.broker.model.Pattern;
import dev.pinion.broker.model.Penalties;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Weights;
import dev.pinion.broker.monitor.Monitors;
import dev.pinion.broker.monitor.Observations;
import dev.pinion.core.model.BindingTable;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.CallObserver;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is concluded while a service changes, second by second. */
class AnalystTest {
  private static final String CLASS = "gold";
  private static final ProcessNode BOTH =
      new ProcessNode.Flow(
          "both", List.of(new ProcessNode.Task("a"), new ProcessNode.Task("b")), 1);
  private static final long MILLI = 1_000_000;
  private static final int RATE = 100;

  private final AtomicLong seconds = new AtomicLong(1_000);
  private final Observations observations =
      new Observations(() -> new BindingTable(1, CLASS, Map.of(CLASS, Map.of())));
  private final CallObserver observer = observations.observer();
  private final Monitors monitors =
      new Monitors(
          new Clock() {
            @Override
            public long nanoTime() {
              return seconds.get() * 1_000 * MILLI;
            }

            @Override
            public String scale() {
              return "test";
            }

            @Override
            public long epochMillis() {
              return seconds.get() * 1_000;
            }
          });
  private final Analyst analyst = new Analyst(monitors);

  private static BrokerProblem problem() {
    List<ConcreteService> services =
        List.of(new ConcreteService("A", 1, 1, 1, 1e6), new ConcreteService("B", 1, 1, 1, 1e6));
    List<AbstractTask> tasks =
        List.of(
            new AbstractTask("a", List.of(services.getFirst()), Set.of(Pattern.SINGLE)),
            new AbstractTask("b", List.of(services.getLast()), Set.of(Pattern.SINGLE)));
    Options options =
        new Options(
            1,
            1,
            ParallelResponse.FIRST_SUCCESS,
            Objective.PROFIT,
            Mode.STRICT,
            Penalties.of(Objective.PROFIT));
    ServiceClass gold =
        new ServiceClass(CLASS, RATE, 100, 0, 1e6, 1, 1, new Weights(1, 1, 1), Map.of());
    return new BrokerProblem("p", options, BOTH, services, tasks, List.of(gold), List.of());
  }

  /**
   * A second of requests, and what is planned with then.
   *
   * @param call milliseconds of calls that ended
   * @param request milliseconds of requests that ended
   */
  private double second(long call, long request) throws IOException {
    for (int i = 0; i < RATE; i++) {
      observer.begun(CLASS);
      observer.invoked("a", CLASS);
      observer.invoked("b", CLASS);
      observer.called("A", CLASS, call * MILLI, true);
      observer.called("B", CLASS, call * MILLI, true);
      observer.ended(CLASS, request, true);
    }
    monitors.take(ObservationJson.batch(ObservationJson.batch(observations.take())));
    seconds.incrementAndGet();
    analyst.look(problem());
    ServiceClass planned = analyst.calibration().paths(problem()).classes().getFirst();
    return Flows.planned(BOTH, planned).orElseThrow();
  }

  /**
   * Calls become three times as slow. Their requests, which take 1.5 times a call, end some seconds
   * later: meanwhile flows seem to be shorter than ever.
   */
  @Test
  void shouldNotBelieveThatFlowsAreShorterWhenSlowCallsAreCountedBeforeTheirRequests()
      throws IOException {
    double before = 0;
    for (int i = 0; i < 400; i++) {
      before = second(1_000, 1_500);
    }
    assertEquals(1.5, before, 0.01);

    for (int i = 0; i < 4; i++) {
      assertEquals(before, second(3_000, 1_500), 1e-12, "slow calls, requests of before");
    }
    for (int i = 0; i < (int) Analyst.FLOW_HOLD_SECONDS - 10; i++) {
      assertEquals(before, second(3_000, 4_500), 1e-12, "the requests follow");
    }
    double shorter = before;
    for (int i = 0; i < 400; i++) {
      shorter = second(3_000, 3_600);
    }
    assertEquals(1.2, shorter, 0.06, "what lasts is believed");
  }

  @Test
  void shouldBelieveAtAnyTimeThatFlowsAreLonger() throws IOException {
    for (int i = 0; i < 400; i++) {
      second(1_000, 1_500);
    }
    double found = 0;
    for (int i = 0; i < (int) Analyst.FLOW_HOLD_SECONDS / 2; i++) {
      found = second(1_300, 2_600);
    }
    assertEquals(2.05 / 1.15, found, 0.1, "half of what is known is of before");
  }
}
