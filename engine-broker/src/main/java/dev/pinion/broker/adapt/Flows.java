package dev.pinion.broker.adapt;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Usage;
import dev.pinion.broker.monitor.Spent;
import dev.pinion.broker.optimise.Visits;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The calibration of flows: how long they take, divided by the greatest mean of a branch. The mean
 * of the longest is longer than the longest of the means.
 *
 * <p>Flows are not timed. How long they take follows from how long requests take and how long the
 * calls of all tasks do: what is left of a request without the calls outside of flows is their
 * time. Time that the engine takes itself is in it, too. One number stands for all flows of a
 * class.
 */
final class Flows {
  /** Calibrations that are possible; what is beyond is measured wrong, and cut. */
  static final double LEAST = 0.5;

  /** The greatest. */
  static final double MOST = 10;

  private static final int HALVINGS = 40;

  private final ServiceClass serviceClass;
  private final Map<String, Double> invocations;
  private final Map<String, Double> seconds;

  private Flows(
      ServiceClass serviceClass, Map<String, Double> invocations, Map<String, Double> seconds) {
    this.serviceClass = serviceClass;
    this.invocations = invocations;
    this.seconds = seconds;
  }

  /**
   * What is measured.
   *
   * @param serviceClass with its paths
   * @param serving for which tasks services stand, those that were called and are gone, too
   * @return empty without flows, and when a service stands for several tasks, so that nobody knows
   *     which its calls were for
   */
  static OptionalDouble calibration(
      ProcessNode process,
      ServiceClass serviceClass,
      Spent spent,
      Map<String, Set<String>> serving) {
    Map<String, Double> seconds = new HashMap<>();
    for (Map.Entry<String, Set<String>> each : serving.entrySet()) {
      if (each.getValue().size() > 1) {
        return OptionalDouble.empty();
      }
      double called = spent.calls().getOrDefault(each.getKey(), 0.0) / spent.requests().count();
      each.getValue().forEach(task -> seconds.merge(task, called, Double::sum));
    }
    return new Flows(serviceClass, Visits.of(process, serviceClass), seconds)
        .solve(process, spent.requests().mean());
  }

  /** For which tasks the services of a problem stand. */
  static Map<String, Set<String>> serving(BrokerProblem problem) {
    Map<String, Set<String>> serving = new HashMap<>();
    for (AbstractTask task : problem.tasks()) {
      for (ConcreteService each : task.services()) {
        serving.computeIfAbsent(each.id(), _ -> new HashSet<>()).add(task.id());
      }
    }
    return serving;
  }

  /** The time of requests rises with the calibration: halving finds it. */
  private OptionalDouble solve(ProcessNode process, double response) {
    double low = LEAST;
    double high = MOST;
    if (!(time(process, 1, low) < time(process, 1, high))) {
      return OptionalDouble.empty();
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (time(process, 1, middle) < response) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return OptionalDouble.of((low + high) / 2);
  }

  /**
   * Seconds of a request that a node takes.
   *
   * @param times how often the node is entered
   */
  private double time(ProcessNode node, double times, double calibration) {
    return switch (node) {
      case ProcessNode.Task task -> {
        double all = invocations.getOrDefault(task.task(), 0.0);
        yield all == 0 ? 0 : seconds.getOrDefault(task.task(), 0.0) * times / all;
      }
      case ProcessNode.Sequence sequence ->
          sequence.children().stream().mapToDouble(each -> time(each, times, calibration)).sum();
      case ProcessNode.Flow flow ->
          calibration
              * flow.children().stream()
                  .mapToDouble(each -> time(each, times, calibration))
                  .max()
                  .orElse(0);
      case ProcessNode.Choice choice -> {
        List<Double> probabilities = serviceClass.probabilities(choice);
        double sum = 0;
        for (int i = 0; i < probabilities.size(); i++) {
          sum += time(choice.children().get(i), times * probabilities.get(i), calibration);
        }
        yield sum;
      }
      case ProcessNode.Loop loop ->
          time(loop.child(), times * serviceClass.iterations(loop), calibration);
    };
  }

  /**
   * What flows are planned with: they may differ, since those of a definition that is deployed
   * later begin with what its model says.
   */
  static DoubleSummaryStatistics planned(ProcessNode process, ServiceClass serviceClass) {
    DoubleSummaryStatistics planned = new DoubleSummaryStatistics();
    add(process, serviceClass, planned);
    return planned;
  }

  private static void add(
      ProcessNode node, ServiceClass serviceClass, DoubleSummaryStatistics planned) {
    if (node instanceof ProcessNode.Flow flow) {
      planned.accept(serviceClass.gamma(flow));
    }
    node.children().forEach(each -> add(each, serviceClass, planned));
  }

  /** How the requests of a class go, with a calibration of all flows. */
  static Map<String, Usage> calibrated(
      ProcessNode process, ServiceClass serviceClass, double calibration) {
    Map<String, Usage> usage = new HashMap<>(serviceClass.usage());
    put(process, calibration, usage);
    return usage;
  }

  private static void put(ProcessNode node, double calibration, Map<String, Usage> usage) {
    if (node instanceof ProcessNode.Flow flow) {
      Usage before = usage.getOrDefault(flow.id(), Usage.SAME);
      usage.put(
          flow.id(),
          new Usage(before.probabilities(), before.iterations(), OptionalDouble.of(calibration)));
    }
    node.children().forEach(each -> put(each, calibration, usage));
  }
}
