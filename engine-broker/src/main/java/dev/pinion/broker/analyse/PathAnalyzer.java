package dev.pinion.broker.analyse;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.UsageProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Paths of the requests of a class through the choices and loops of a process, inferred from the
 * visits of its tasks. A task at one place reveals the number of entries of that place, and what
 * follows from it. A node without evidence stays as in the model.
 *
 * <p>A flow of equal branches, such as a parallelForEach, is one place: observations are assumed to
 * spread evenly over them.
 */
final class PathAnalyzer {
  /** Below this a place counts as never entered, and is no evidence about its content. */
  private static final double NEVER = 1e-6;

  /**
   * Least probability of a path that the model considers possible: it may happen again, and then
   * its tasks must be bound.
   */
  static final double LEAST_PROBABILITY = 1e-4;

  private final ServiceClass serviceClass;
  private final Map<String, Double> visits;
  private final Map<String, Integer> places = new HashMap<>();
  private final Map<String, UsageProfile> usage;

  private PathAnalyzer(ServiceClass serviceClass, Map<String, Double> visits) {
    this.serviceClass = serviceClass;
    this.visits = visits;
    this.usage = new HashMap<>(serviceClass.usage());
  }

  /**
   * The paths of requests.
   *
   * @param visits visits by task, for each request; an absent task was not visited
   * @return usage by node; that of the class, except where the evidence is better
   */
  static Map<String, UsageProfile> of(
      ProcessNode process, ServiceClass serviceClass, Map<String, Double> visits) {
    PathAnalyzer pathAnalyzer = new PathAnalyzer(serviceClass, visits);
    pathAnalyzer.count(process);
    pathAnalyzer.enter(process, 1, 1);
    return pathAnalyzer.usage;
  }

  private void count(ProcessNode node) {
    if (node instanceof ProcessNode.Task task) {
      places.merge(task.task(), 1, Integer::sum);
    }
    (likes(node) > 1 ? node.children().subList(0, 1) : node.children()).forEach(this::count);
  }

  /** Number of equal branches of a node; 1 when its children differ. */
  private static int likes(ProcessNode node) {
    List<ProcessNode> children = node.children();
    boolean alike =
        node instanceof ProcessNode.Flow
            && children.stream().allMatch(each -> isLike(each, children.getFirst()));
    return alike ? children.size() : 1;
  }

  /** Whether two nodes are equal except for ids. */
  private static boolean isLike(ProcessNode one, ProcessNode other) {
    boolean same =
        switch (one) {
          case ProcessNode.Task _ -> one.equals(other);
          case ProcessNode.Sequence _, ProcessNode.Flow _ -> one.getClass() == other.getClass();
          case ProcessNode.Choice choice ->
              other instanceof ProcessNode.Choice like
                  && choice.probabilities().equals(like.probabilities());
          case ProcessNode.Loop loop ->
              other instanceof ProcessNode.Loop like && loop.iterations() == like.iterations();
        };
    List<ProcessNode> children = one.children();
    if (!same || children.size() != other.children().size()) {
      return false;
    }
    for (int i = 0; i < children.size(); i++) {
      if (!isLike(children.get(i), other.children().get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Number of entries of a node, as far as its content reveals it.
   *
   * @param copies number of nodes like it
   */
  private OptionalDouble entries(ProcessNode node, int copies) {
    return switch (node) {
      case ProcessNode.Task task ->
          places.getOrDefault(task.task(), 0) == 1
              ? OptionalDouble.of(visits.getOrDefault(task.task(), 0.0) / copies)
              : OptionalDouble.empty();
      case ProcessNode.Choice choice -> sum(choice, copies);
      case ProcessNode.Loop _ -> OptionalDouble.empty();
      case ProcessNode.Sequence _, ProcessNode.Flow _ ->
          node.children().stream()
              .map(each -> entries(each, copies * likes(node)))
              .filter(OptionalDouble::isPresent)
              .mapToDouble(OptionalDouble::orElseThrow)
              .average();
    };
  }

  private OptionalDouble sum(ProcessNode.Choice choice, int copies) {
    List<OptionalDouble> all =
        choice.children().stream().map(each -> entries(each, copies)).toList();
    return all.stream().allMatch(OptionalDouble::isPresent)
        ? OptionalDouble.of(all.stream().mapToDouble(OptionalDouble::orElseThrow).sum())
        : OptionalDouble.empty();
  }

  private void enter(ProcessNode node, double times, int copies) {
    if (times < NEVER) {
      return;
    }
    switch (node) {
      case ProcessNode.Choice choice -> choose(choice, times, copies);
      case ProcessNode.Loop loop -> repeat(loop, times, copies);
      default -> node.children().forEach(child -> enter(child, times, copies * likes(node)));
    }
  }

  private void choose(ProcessNode.Choice choice, double times, int copies) {
    List<Double> found = new ArrayList<>();
    int unknown = -1;
    double known = 0;
    for (int i = 0; i < choice.children().size(); i++) {
      OptionalDouble entries = entries(choice.children().get(i), copies);
      if (entries.isEmpty() && unknown >= 0) {
        descend(choice, serviceClass.probabilities(choice), times, copies);
        return; // two nodes without evidence
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
        all < NEVER ? serviceClass.probabilities(choice) : probabilities(choice, found, all);
    put(choice.id(), probabilities, OptionalDouble.empty());
    descend(choice, probabilities, times, copies);
  }

  private static List<Double> probabilities(
      ProcessNode.Choice choice, List<Double> found, double all) {
    List<Double> least = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      double possible = choice.probabilities().get(i) > 0 ? LEAST_PROBABILITY : 0;
      least.add(Math.max(found.get(i) / all, possible));
    }
    double sum = least.stream().mapToDouble(Double::doubleValue).sum();
    return least.stream().map(each -> each / sum).toList();
  }

  private void descend(
      ProcessNode.Choice choice, List<Double> probabilities, double times, int copies) {
    for (int i = 0; i < probabilities.size(); i++) {
      enter(choice.children().get(i), times * probabilities.get(i), copies);
    }
  }

  private void repeat(ProcessNode.Loop loop, double times, int copies) {
    OptionalDouble entries = entries(loop.child(), copies);
    double least = loop.iterations() > 0 ? LEAST_PROBABILITY : 0;
    double rounds =
        entries.isPresent()
            ? Math.max(entries.getAsDouble() / times, least)
            : serviceClass.iterations(loop);
    if (entries.isPresent()) {
      put(loop.id(), List.of(), OptionalDouble.of(rounds));
    }
    enter(loop.child(), times * rounds, copies);
  }

  private void put(String node, List<Double> probabilities, OptionalDouble iterations) {
    UsageProfile before = usage.getOrDefault(node, UsageProfile.SAME);
    usage.put(node, new UsageProfile(probabilities, iterations, before.gamma()));
  }
}
