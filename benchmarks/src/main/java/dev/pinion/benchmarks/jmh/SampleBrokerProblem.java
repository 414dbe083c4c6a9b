package dev.pinion.benchmarks.jmh;

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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * A problem of any size whose bounds bind: a sequence in which every third task is two tasks side
 * by side, services that cost more the faster and more reliable they are, and scarce cheap ones.
 */
final class SampleBrokerProblem {
  private static final double RATE = 10;

  private SampleBrokerProblem() {}

  static BrokerProblem of(int taskCount, int serviceCount, int classCount) {
    List<ConcreteService> services = new ArrayList<>();
    List<AbstractTask> tasks = new ArrayList<>();
    for (int t = 0; t < taskCount; t++) {
      List<ConcreteService> own = new ArrayList<>();
      for (int s = 0; s < serviceCount; s++) {
        own.add(service(t, s, serviceCount, classCount));
      }
      services.addAll(own);
      tasks.add(new AbstractTask("t" + t, own, EnumSet.allOf(CoordinationPattern.class)));
    }
    SolveOptions solveOptions =
        new SolveOptions(
            2,
            2,
            ParallelResponse.FIRST_SUCCESS,
            Objective.PROFIT,
            PromiseMode.STRICT,
            Penalties.of(Objective.PROFIT));
    List<ServiceClass> classes = new ArrayList<>();
    for (int k = 0; k < classCount; k++) {
      classes.add(serviceClass(k, taskCount));
    }
    return new BrokerProblem(
        "sample", solveOptions, process(taskCount), services, tasks, classes, List.of());
  }

  /** The first service of a task is the slowest, cheapest and scarcest. */
  private static ConcreteService service(int task, int index, int count, int classes) {
    double rank = (index + 1.0) / count;
    double unlike = 1 + 0.05 * ((7 * task + 3 * index) % 11);
    return new ConcreteService(
        "t" + task + "_" + index,
        (1.1 - rank) * unlike,
        0.97 + 0.025 * rank,
        4 * rank * unlike,
        RATE * classes * (0.4 + rank));
  }

  private static ProcessNode process(int tasks) {
    List<ProcessNode> nodes = new ArrayList<>();
    for (int t = 0; t < tasks; t++) {
      ProcessNode task = new ProcessNode.Task("t" + t);
      if (t % 3 == 1 && t + 1 < tasks) {
        t++;
        task = new ProcessNode.Flow("f" + t, List.of(task, new ProcessNode.Task("t" + t)), 1.1);
      }
      nodes.add(task);
    }
    return new ProcessNode.Sequence(nodes);
  }

  /** Later classes are promised less. */
  private static ServiceClass serviceClass(int index, int tasks) {
    return new ServiceClass(
        "k" + index,
        RATE,
        new ServiceClass.Promise(
            tasks * (0.5 + 0.05 * index),
            Math.pow(0.9995 - 0.001 * index, tasks),
            Double.POSITIVE_INFINITY),
        10 * tasks,
        1,
        SawWeights.NONE,
        Map.of());
  }
}
