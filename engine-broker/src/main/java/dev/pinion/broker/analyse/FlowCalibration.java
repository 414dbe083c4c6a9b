package dev.pinion.broker.analyse;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.UsageProfile;
import dev.pinion.broker.monitor.TimeBreakdown;
import dev.pinion.broker.optimise.VisitRatios;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The calibration of flows: their time, divided by the greatest mean of a branch. The mean of the
 * longest is longer than the longest of the means.
 *
 * <p>Flows are not timed. Their time follows from the times of requests and of the calls of all
 * tasks: it is the rest of a request without the calls outside of flows, including the engine's own
 * time. One number applies to all flows of a class.
 */
final class FlowCalibration {
  /** Least plausible calibration; measurements beyond are wrong, and clipped. */
  static final double LEAST = 0.5;

  /** Greatest plausible calibration. */
  static final double MOST = 10;

  private static final int HALVINGS = 40;

  private final ServiceClass serviceClass;
  private final Map<String, Double> invocations;
  private final Map<String, Double> seconds;

  private FlowCalibration(
      ServiceClass serviceClass, Map<String, Double> invocations, Map<String, Double> seconds) {
    this.serviceClass = serviceClass;
    this.invocations = invocations;
    this.seconds = seconds;
  }

  /**
   * The measured calibration.
   *
   * @param serviceClass the class with its paths
   * @param serving tasks of services, including services that were called and are gone
   * @return empty without flows, and when a service serves several tasks, so that the task of its
   *     calls is unknown
   */
  static OptionalDouble calibration(
      ProcessNode process,
      ServiceClass serviceClass,
      TimeBreakdown timeBreakdown,
      Map<String, Set<String>> serving) {
    Map<String, Double> seconds = new HashMap<>();
    for (Map.Entry<String, Set<String>> each : serving.entrySet()) {
      if (each.getValue().size() > 1) {
        return OptionalDouble.empty();
      }
      double called =
          timeBreakdown.calls().getOrDefault(each.getKey(), 0.0) / timeBreakdown.requests().count();
      each.getValue().forEach(task -> seconds.merge(task, called, Double::sum));
    }
    return new FlowCalibration(serviceClass, VisitRatios.of(process, serviceClass), seconds)
        .solve(process, timeBreakdown.requests().mean());
  }

  /** Tasks of the services of a problem. */
  static Map<String, Set<String>> serving(BrokerProblem problem) {
    Map<String, Set<String>> serving = new HashMap<>();
    for (AbstractTask task : problem.tasks()) {
      for (ConcreteService each : task.services()) {
        serving.computeIfAbsent(each.id(), _ -> new HashSet<>()).add(task.id());
      }
    }
    return serving;
  }

  /** Solves by bisection: the time of requests rises with the calibration. */
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
   * @param times number of entries of the node
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
   * The calibrations in the plan: they may differ, since those of a definition deployed later begin
   * with the values of its model.
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

  /** The usage of a class, with one calibration for all flows. */
  static Map<String, UsageProfile> calibrated(
      ProcessNode process, ServiceClass serviceClass, double calibration) {
    Map<String, UsageProfile> usage = new HashMap<>(serviceClass.usage());
    put(process, calibration, usage);
    return usage;
  }

  private static void put(ProcessNode node, double calibration, Map<String, UsageProfile> usage) {
    if (node instanceof ProcessNode.Flow flow) {
      UsageProfile before = usage.getOrDefault(flow.id(), UsageProfile.SAME);
      usage.put(
          flow.id(),
          new UsageProfile(
              before.probabilities(), before.iterations(), OptionalDouble.of(calibration)));
    }
    node.children().forEach(each -> put(each, calibration, usage));
  }
}
