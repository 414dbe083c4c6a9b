package dev.pinion.broker.analyse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.ParallelResponse;
import dev.pinion.broker.model.Penalties;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ProcessNode.Choice;
import dev.pinion.broker.model.ProcessNode.Flow;
import dev.pinion.broker.model.ProcessNode.Loop;
import dev.pinion.broker.model.ProcessNode.Sequence;
import dev.pinion.broker.model.ProcessNode.Task;
import dev.pinion.broker.model.PromiseMode;
import dev.pinion.broker.model.SawWeights;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.SolveOptions;
import dev.pinion.broker.model.UsageProfile;
import dev.pinion.broker.monitor.CallStatistics;
import dev.pinion.broker.monitor.TimeBreakdown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Inference of the times of flows from those of requests and calls. */
class FlowCalibrationTest {
  private static final ServiceClass GOLD =
      new ServiceClass(
          "gold", 1, new ServiceClass.Promise(1, 0, 1), 1, 1, new SawWeights(1, 1, 1), Map.of());
  private static final int REQUESTS = 1_000;
  private static final SolveOptions OPTIONS =
      new SolveOptions(
          1,
          1,
          ParallelResponse.FIRST_SUCCESS,
          Objective.PROFIT,
          PromiseMode.STRICT,
          Penalties.of(Objective.PROFIT));

  /** Each task has the service of its name in upper case. */
  private static BrokerProblem problem(ProcessNode process, String... tasks) {
    List<ConcreteService> services = new ArrayList<>();
    List<AbstractTask> served = new ArrayList<>();
    for (String task : tasks) {
      ConcreteService service = new ConcreteService(task.toUpperCase(Locale.ROOT), 1, 1, 1, 1);
      services.add(service);
      served.add(new AbstractTask(task, List.of(service), Set.of(CoordinationPattern.SINGLE)));
    }
    return new BrokerProblem("p", OPTIONS, process, services, served, List.of(GOLD), List.of());
  }

  private static TimeBreakdown spent(double response, Map<String, Double> secondsOfARequest) {
    Map<String, Double> calls = new HashMap<>();
    secondsOfARequest.forEach((service, each) -> calls.put(service, REQUESTS * each));
    return new TimeBreakdown(new CallStatistics(REQUESTS, 0, REQUESTS * response, 0), calls);
  }

  private static OptionalDouble calibration(
      BrokerProblem problem, ServiceClass serviceClass, TimeBreakdown timeBreakdown) {
    return FlowCalibration.calibration(
        problem.process(), serviceClass, timeBreakdown, FlowCalibration.serving(problem));
  }

  @Test
  void shouldFindWhatIsLeftOfRequestsWithoutTheCallsOutsideOfFlows() {
    ProcessNode process =
        new Sequence(
            List.of(
                new Loop("again", new Task("a"), 2),
                new Flow(
                    "f",
                    List.of(
                        new Task("b"),
                        new Sequence(
                            List.of(
                                new Task("c"),
                                new Choice(
                                    "maybe",
                                    List.of(new Task("d"), new Task("a")),
                                    List.of(0.5, 0.5))))),
                    1)));
    // "a" is at two places: two of its 2.5 invocations are before the flow
    TimeBreakdown timeBreakdown = spent(3.5, Map.of("A", 0.5, "B", 1.9, "C", 1.0, "D", 0.9));
    OptionalDouble found = calibration(problem(process, "a", "b", "c", "d"), GOLD, timeBreakdown);

    assertEquals((3.5 - 0.4) / 2, found.orElse(0), 1e-9);
  }

  @Test
  void shouldTakeOneCalibrationForFlowsWithinFlows() {
    ProcessNode inner = new Flow("inner", List.of(new Task("a"), new Task("b")), 1);
    ProcessNode process = new Flow("outer", List.of(inner, new Task("c")), 1.5);
    BrokerProblem problem = problem(process, "a", "b", "c");

    OptionalDouble found =
        calibration(problem, GOLD, spent(1.44, Map.of("A", 1.0, "B", 0.5, "C", 0.5)));
    assertEquals(1.2, found.orElse(0), 1e-9);

    ServiceClass calibrated =
        GOLD.withUsage(FlowCalibration.calibrated(process, GOLD, found.orElseThrow()));
    assertEquals(1.5, FlowCalibration.planned(process, GOLD).getMax());
    assertEquals(1, FlowCalibration.planned(process, GOLD).getMin());
    assertEquals(1.2, FlowCalibration.planned(process, calibrated).getMax(), 1e-9);
    assertEquals(Set.of("inner", "outer"), calibrated.usage().keySet());
  }

  @Test
  void shouldCutWhatIsNotPossible() {
    ProcessNode process = new Flow("f", List.of(new Task("a"), new Task("b")), 1);
    BrokerProblem problem = problem(process, "a", "b");
    Map<String, Double> calls = Map.of("A", 1.0, "B", 1.0);

    assertEquals(
        FlowCalibration.LEAST, calibration(problem, GOLD, spent(0.1, calls)).orElse(0), 1e-9);
    assertEquals(
        FlowCalibration.MOST, calibration(problem, GOLD, spent(11, calls)).orElse(0), 1e-9);
  }

  @Test
  void shouldSayNothingWhereNothingIsKnown() {
    ProcessNode none = new Sequence(List.of(new Task("a"), new Task("b")));
    Map<String, Double> calls = Map.of("A", 1.0, "B", 1.0);
    assertTrue(calibration(problem(none, "a", "b"), GOLD, spent(2, calls)).isEmpty());
    assertEquals(0, FlowCalibration.planned(none, GOLD).getCount());

    ProcessNode process = new Flow("f", List.of(new Task("a"), new Task("b")), 1);
    BrokerProblem known = problem(process, "a", "b");
    assertTrue(calibration(known, GOLD, spent(2, Map.of())).isEmpty(), "no calls");

    ConcreteService both = new ConcreteService("BOTH", 1, 1, 1, 1);
    BrokerProblem shared =
        new BrokerProblem(
            "p",
            OPTIONS,
            process,
            List.of(both),
            List.of(
                new AbstractTask("a", List.of(both), Set.of(CoordinationPattern.SINGLE)),
                new AbstractTask("b", List.of(both), Set.of(CoordinationPattern.SINGLE))),
            List.of(GOLD),
            List.of());
    assertTrue(calibration(shared, GOLD, spent(2, Map.of("BOTH", 1.0))).isEmpty());
  }

  @Test
  void shouldKeepWhatIsKnownOfPathsBesideIt() {
    ProcessNode flow = new Flow("f", List.of(new Loop("l", new Task("a"), 3), new Task("b")), 1);
    UsageProfile rounds = new UsageProfile(List.of(), OptionalDouble.of(2), OptionalDouble.empty());
    ServiceClass known = GOLD.withUsage(Map.of("l", rounds));
    Map<String, UsageProfile> found = FlowCalibration.calibrated(flow, known, 1.3);

    assertEquals(rounds, found.get("l"));
    assertEquals(
        found,
        PathAnalyzer.of(flow, known.withUsage(found), Map.of("a", 2.0, "b", 1.0)),
        "and back");
  }
}
