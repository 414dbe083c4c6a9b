package dev.pinion.broker.optimise;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.ImplementationEnumerator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All implementations of the tasks of a problem, enumerated once. */
final class CandidateImplementations {
  private final Map<String, List<Implementation>> byTask = new HashMap<>();

  private CandidateImplementations() {}

  static CandidateImplementations of(BrokerProblem problem) {
    CandidateImplementations candidateImplementations = new CandidateImplementations();
    for (AbstractTask task : problem.tasks()) {
      candidateImplementations.byTask.put(
          task.id(), ImplementationEnumerator.of(task, problem.options()));
    }
    return candidateImplementations;
  }

  /** The implementations of a task; at least one. */
  List<Implementation> of(String task) {
    return Objects.requireNonNull(byTask.get(task), task);
  }
}
