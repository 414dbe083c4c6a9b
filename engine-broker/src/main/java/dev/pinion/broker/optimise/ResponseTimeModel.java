package dev.pinion.broker.optimise;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The mean response time of a process for a class, from mean times of its tasks: sums, except for a
 * flow the greatest branch times its calibration.
 */
public final class ResponseTimeModel {
  private final ServiceClass serviceClass;
  private final ToDoubleFunction<String> tasks;

  private ResponseTimeModel(ServiceClass serviceClass, ToDoubleFunction<String> tasks) {
    this.serviceClass = serviceClass;
    this.tasks = tasks;
  }

  /**
   * Mean seconds.
   *
   * @param tasks mean seconds of a task by its name; not called for tasks that are never invoked
   */
  public static double of(
      ProcessNode process, ServiceClass serviceClass, ToDoubleFunction<String> tasks) {
    return new ResponseTimeModel(serviceClass, tasks).of(process);
  }

  private double of(ProcessNode node) {
    return switch (node) {
      case ProcessNode.Task task -> tasks.applyAsDouble(task.task());
      case ProcessNode.Sequence sequence ->
          sequence.children().stream().mapToDouble(this::of).sum();
      case ProcessNode.Flow flow ->
          serviceClass.gamma(flow) * flow.children().stream().mapToDouble(this::of).max().orElse(0);
      case ProcessNode.Choice choice -> ofChoice(choice);
      case ProcessNode.Loop loop -> repeated(loop);
    };
  }

  private double ofChoice(ProcessNode.Choice choice) {
    List<Double> probabilities = serviceClass.probabilities(choice);
    double sum = 0;
    for (int i = 0; i < probabilities.size(); i++) {
      double probability = probabilities.get(i);
      sum += probability == 0 ? 0 : probability * of(choice.children().get(i));
    }
    return sum;
  }

  private double repeated(ProcessNode.Loop loop) {
    double iterations = serviceClass.iterations(loop);
    return iterations == 0 ? 0 : iterations * of(loop.child());
  }
}
