package dev.pinion.broker.optimise;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Implementations;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All implementations of the tasks of a problem, enumerated once. */
final class Candidates {
  private final Map<String, List<Implementation>> byTask = new HashMap<>();

  private Candidates() {}

  static Candidates of(BrokerProblem problem) {
    Candidates candidates = new Candidates();
    for (AbstractTask task : problem.tasks()) {
      candidates.byTask.put(task.id(), Implementations.of(task, problem.options()));
    }
    return candidates;
  }

  /** The implementations of a task; at least one. */
  List<Implementation> of(String task) {
    return Objects.requireNonNull(byTask.get(task), task);
  }
}
