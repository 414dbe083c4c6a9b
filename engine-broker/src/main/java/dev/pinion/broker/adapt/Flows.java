package dev.pinion.broker.adapt;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Usage;
import dev.pinion.broker.monitor.Spent;
import dev.pinion.broker.optimise.Visits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

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
   * @param problem whose services say for which tasks they stand
   * @param serviceClass with its paths
   * @return empty without flows, and when a service stands for several tasks, so that nobody knows
   *     which its calls were for
   */
  static OptionalDouble calibration(BrokerProblem problem, ServiceClass serviceClass, Spent spent) {
    Map<String, Double> invocations = Visits.of(problem.process(), serviceClass);
    Map<String, Double> seconds = new HashMap<>();
    Map<String, String> tasks = new HashMap<>();
    for (var task : problem.tasks()) {
      for (ConcreteService each : task.services()) {
        if (tasks.putIfAbsent(each.id(), task.id()) != null) {
          return OptionalDouble.empty();
        }
        seconds.merge(
            task.id(),
            spent.calls().getOrDefault(each.id(), 0.0) / spent.requests().count(),
            Double::sum);
      }
    }
    return new Flows(serviceClass, invocations, seconds)
        .solve(problem.process(), spent.requests().mean());
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

  /** What flows are planned with: the first one's; empty without flows. */
  static OptionalDouble planned(ProcessNode node, ServiceClass serviceClass) {
    if (node instanceof ProcessNode.Flow flow) {
      return OptionalDouble.of(serviceClass.gamma(flow));
    }
    return node.children().stream()
        .map(each -> planned(each, serviceClass))
        .filter(OptionalDouble::isPresent)
        .findFirst()
        .orElse(OptionalDouble.empty());
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
