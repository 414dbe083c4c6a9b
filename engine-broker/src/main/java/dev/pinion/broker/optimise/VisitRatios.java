package dev.pinion.broker.optimise;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Expected number of invocations of each task by a request of a class. */
public final class VisitRatios {
  private final ServiceClass serviceClass;
  private final Map<String, Double> visits = new LinkedHashMap<>();

  private VisitRatios(ServiceClass serviceClass) {
    this.serviceClass = serviceClass;
  }

  /** Visits by task, in the order of the process; tasks that are never invoked are left out. */
  public static Map<String, Double> of(ProcessNode process, ServiceClass serviceClass) {
    VisitRatios walk = new VisitRatios(serviceClass);
    walk.add(process, 1);
    walk.visits.values().removeIf(each -> each == 0);
    return walk.visits;
  }

  private void add(ProcessNode node, double times) {
    switch (node) {
      case ProcessNode.Task task -> visits.merge(task.task(), times, Double::sum);
      case ProcessNode.Sequence sequence -> sequence.children().forEach(child -> add(child, times));
      case ProcessNode.Flow flow -> flow.children().forEach(child -> add(child, times));
      case ProcessNode.Choice choice -> {
        List<Double> probabilities = serviceClass.probabilities(choice);
        for (int i = 0; i < probabilities.size(); i++) {
          add(choice.children().get(i), times * probabilities.get(i));
        }
      }
      case ProcessNode.Loop loop -> add(loop.child(), times * serviceClass.iterations(loop));
    }
  }
}
