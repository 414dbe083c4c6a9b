package dev.pinion.broker.analyse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.ParallelResponse;
import dev.pinion.broker.model.Penalties;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.PromiseMode;
import dev.pinion.broker.model.SawWeights;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.SolveOptions;
import dev.pinion.broker.monitor.BrokerMonitor;
import dev.pinion.broker.monitor.ObservationCollector;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallObserver;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Conclusions while a service changes, second by second. */
class AnalyzerTest {
  private static final String CLASS = "gold";
  private static final ProcessNode BOTH =
      new ProcessNode.Flow(
          "both", List.of(new ProcessNode.Task("a"), new ProcessNode.Task("b")), 1);
  private static final long MILLI = 1_000_000;
  private static final int RATE = 100;

  private final AtomicLong seconds = new AtomicLong(1_000);
  private final ObservationCollector observationCollector =
      new ObservationCollector(() -> new BindingTable(1, CLASS, Map.of(CLASS, Map.of())));
  private final CallObserver observer = observationCollector.observer();
  private final BrokerMonitor brokerMonitor =
      new BrokerMonitor(
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
  private final List<Cause> causes = new ArrayList<>();
  private ProcessNode process = BOTH;
  private boolean served = true;

  /** Requests of a second that do not reach b. */
  private int without;

  private final Analyzer analyzer = new Analyzer(brokerMonitor, Calibration.NONE);

  private BrokerProblem problem() {
    ConcreteService first = new ConcreteService("A", 1, 1, 1, 1e6);
    ConcreteService second = new ConcreteService("B", 1, 1, 1, 1e6);
    ConcreteService other = new ConcreteService("C", 1, 1, 1, 1e6);
    List<ConcreteService> services = served ? List.of(first, second, other) : List.of(first, other);
    List<AbstractTask> tasks =
        List.of(
            new AbstractTask("a", List.of(first), Set.of(CoordinationPattern.SINGLE)),
            new AbstractTask(
                "b",
                served ? List.of(second, other) : List.of(other),
                Set.of(CoordinationPattern.SINGLE)));
    SolveOptions solveOptions =
        new SolveOptions(
            1,
            1,
            ParallelResponse.FIRST_SUCCESS,
            Objective.PROFIT,
            PromiseMode.STRICT,
            Penalties.of(Objective.PROFIT));
    ServiceClass gold =
        new ServiceClass(
            CLASS,
            RATE,
            new ServiceClass.Promise(100, 0, 1e6),
            1,
            1,
            new SawWeights(1, 1, 1),
            Map.of());
    return new BrokerProblem("p", solveOptions, process, services, tasks, List.of(gold), List.of());
  }

  /**
   * A second of requests; returns the greatest planned calibration of flows.
   *
   * @param call milliseconds of calls that ended
   * @param request milliseconds of requests that ended
   */
  private double second(long call, long request) throws IOException {
    for (int i = 0; i < RATE; i++) {
      observer.begun(CLASS);
      observer.invoked("a", CLASS);
      observer.called("A", CLASS, call * MILLI, true);
      if (i >= without) {
        observer.invoked("b", CLASS);
        observer.called(served ? "B" : "C", CLASS, call * MILLI, true);
      }
      observer.ended(CLASS, request, true);
    }
    brokerMonitor.take(ObservationJson.batch(ObservationJson.batch(observationCollector.take())));
    seconds.incrementAndGet();
    causes.addAll(analyzer.analyze(problem()));
    ServiceClass planned = analyzer.calibration().paths(problem()).classes().getFirst();
    return FlowCalibration.planned(process, planned).getMax();
  }

  /**
   * Calls become three times as slow. Their requests, which take 1.5 times a call, end some seconds
   * later: meanwhile flows seem shorter than ever.
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
    for (int i = 0; i < (int) Analyzer.FLOW_HOLD_SECONDS - 10; i++) {
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
    for (int i = 0; i < (int) Analyzer.FLOW_HOLD_SECONDS / 2; i++) {
      found = second(1_300, 2_600);
    }
    assertEquals(2.05 / 1.15, found, 0.1, "half of what is known is of before");
  }

  @Test
  void shouldNotTakeTheTimeOfAServiceThatIsGoneForThatOfFlows() throws IOException {
    process = new ProcessNode.Sequence(List.of(new ProcessNode.Task("b"), flow("one")));
    for (int i = 0; i < 400; i++) {
      second(1_000, 2_500);
    }
    double before = second(1_000, 2_500);
    served = false;
    for (int i = 0; i < 300; i++) {
      assertEquals(before, second(1_000, 2_500), 0.05, "others do what B did");
    }
  }

  /** A flow of a task and another one that takes no time. */
  private static ProcessNode flow(String id) {
    return new ProcessNode.Flow(
        id, List.of(new ProcessNode.Task("a"), new ProcessNode.Sequence(List.of())), 1);
  }

  @Test
  void shouldCalibrateFlowsThatAreDeployedLaterLikeTheOthers() throws IOException {
    for (int i = 0; i < 400; i++) {
      second(1_000, 1_500);
    }
    process = new ProcessNode.Choice("which", List.of(BOTH, flow("later")), List.of(0.9, 0.1));
    for (int i = 0; i < 3; i++) {
      second(1_000, 1_500);
    }
    ServiceClass planned = analyzer.calibration().paths(problem()).classes().getFirst();
    assertEquals(1.5, FlowCalibration.planned(process, planned).getMin(), 0.3, "none is left at 1");
  }

  @Test
  void shouldTellOnceWhatAProcessCannotExpress() throws IOException {
    ProcessNode once = new ProcessNode.Task("a");
    process =
        new ProcessNode.Sequence(
            List.of(
                once,
                once,
                once,
                new ProcessNode.Choice(
                    "way",
                    List.of(new ProcessNode.Task("b"), new ProcessNode.Sequence(List.of())),
                    List.of(0.5, 0.5))));
    for (int i = 0; i < 120; i++) {
      without = i % 7;
      second(1_000, 3_000); // a is invoked once, where the process has it three times
    }
    List<Cause> paths =
        causes.stream().filter(each -> each.rule() == AdaptationRule.PATHS).toList();
    assertTrue(paths.size() <= 1, paths::toString);
  }
}
