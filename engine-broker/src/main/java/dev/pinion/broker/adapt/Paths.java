package dev.pinion.broker.adapt;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Usage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How requests of a class go through the choices and loops of a process, from how often they visit
 * its tasks. A task that stands at one place tells how often that place is entered; what follows
 * from it, follows. A node of which nothing is known stays as the model has it.
 */
final class Paths {
  /** Below this a place is as good as never entered, and tells nothing of what is in it. */
  private static final double NEVER = 1e-6;

  private final ServiceClass serviceClass;
  private final Map<String, Double> visits;
  private final Map<String, Integer> places = new HashMap<>();
  private final Map<String, Usage> usage;

  private Paths(ServiceClass serviceClass, Map<String, Double> visits) {
    this.serviceClass = serviceClass;
    this.visits = visits;
    this.usage = new HashMap<>(serviceClass.usage());
  }

  /**
   * How requests go.
   *
   * @param visits by task, for each request; a task that is not in it was not visited
   * @return by node; what the class has, but for what is known better
   */
  static Map<String, Usage> of(
      ProcessNode process, ServiceClass serviceClass, Map<String, Double> visits) {
    Paths paths = new Paths(serviceClass, visits);
    paths.count(process);
    paths.enter(process, 1);
    return paths.usage;
  }

  private void count(ProcessNode node) {
    if (node instanceof ProcessNode.Task task) {
      places.merge(task.task(), 1, Integer::sum);
    }
    node.children().forEach(this::count);
  }

  /** How often a node is entered, as far as what is in it tells. */
  private OptionalDouble entries(ProcessNode node) {
    return switch (node) {
      case ProcessNode.Task task ->
          places.getOrDefault(task.task(), 0) == 1
              ? OptionalDouble.of(visits.getOrDefault(task.task(), 0.0))
              : OptionalDouble.empty();
      case ProcessNode.Choice choice -> sum(choice);
      case ProcessNode.Loop _ -> OptionalDouble.empty();
      case ProcessNode.Sequence _, ProcessNode.Flow _ ->
          node.children().stream()
              .map(this::entries)
              .filter(OptionalDouble::isPresent)
              .mapToDouble(OptionalDouble::orElseThrow)
              .average();
    };
  }

  private OptionalDouble sum(ProcessNode.Choice choice) {
    List<OptionalDouble> all = choice.children().stream().map(this::entries).toList();
    return all.stream().allMatch(OptionalDouble::isPresent)
        ? OptionalDouble.of(all.stream().mapToDouble(OptionalDouble::orElseThrow).sum())
        : OptionalDouble.empty();
  }

  private void enter(ProcessNode node, double times) {
    if (times < NEVER) {
      return;
    }
    switch (node) {
      case ProcessNode.Choice choice -> choose(choice, times);
      case ProcessNode.Loop loop -> repeat(loop, times);
      default -> node.children().forEach(child -> enter(child, times));
    }
  }

  private void choose(ProcessNode.Choice choice, double times) {
    List<Double> found = new ArrayList<>();
    int unknown = -1;
    double known = 0;
    for (int i = 0; i < choice.children().size(); i++) {
      OptionalDouble entries = entries(choice.children().get(i));
      if (entries.isEmpty() && unknown >= 0) {
        descend(choice, serviceClass.probabilities(choice), times);
        return; // two of which nothing is known
      }
      unknown = entries.isEmpty() ? i : unknown;
      found.add(entries.orElse(0));
      known += entries.orElse(0);
    }
    if (unknown >= 0) {
      found.set(unknown, Math.max(0, times - known));
    }
    double all = found.stream().mapToDouble(Double::doubleValue).sum();
    List<Double> probabilities =
        all < NEVER
            ? serviceClass.probabilities(choice)
            : found.stream().map(each -> each / all).toList();
    put(choice.id(), probabilities, OptionalDouble.empty());
    descend(choice, probabilities, times);
  }

  private void descend(ProcessNode.Choice choice, List<Double> probabilities, double times) {
    for (int i = 0; i < probabilities.size(); i++) {
      enter(choice.children().get(i), times * probabilities.get(i));
    }
  }

  private void repeat(ProcessNode.Loop loop, double times) {
    OptionalDouble entries = entries(loop.child());
    double rounds =
        entries.isPresent() ? entries.getAsDouble() / times : serviceClass.iterations(loop);
    if (entries.isPresent()) {
      put(loop.id(), List.of(), OptionalDouble.of(rounds));
    }
    enter(loop.child(), times * rounds);
  }

  private void put(String node, List<Double> probabilities, OptionalDouble iterations) {
    Usage before = usage.getOrDefault(node, Usage.SAME);
    usage.put(node, new Usage(probabilities, iterations, before.gamma()));
  }
}
