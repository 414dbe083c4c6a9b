package dev.pinion.bootstrap.brokerd.behaviour;

import dev.pinion.broker.model.ProcessNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/** Trees of processes without parts that invoke nothing. */
final class ProcessTrees {
  /** A tree that invokes nothing. */
  static final ProcessNode NOTHING = new ProcessNode.Sequence(List.of());

  /** Tolerance of a number of times that counts as one. */
  private static final double ROUNDING = 1e-12;

  private ProcessTrees() {}

  static boolean isNothing(ProcessNode node) {
    return node.equals(NOTHING);
  }

  /** Nodes in sequence. */
  static ProcessNode sequence(List<ProcessNode> children) {
    List<ProcessNode> flat = new ArrayList<>();
    for (ProcessNode each : children) {
      if (each instanceof ProcessNode.Sequence(List<ProcessNode> inner)) {
        flat.addAll(inner);
      } else {
        flat.add(each);
      }
    }
    return flat.size() == 1 ? flat.getFirst() : new ProcessNode.Sequence(flat);
  }

  /** A node a number of times, possibly less than one. */
  static ProcessNode times(String id, ProcessNode node, double times) {
    if (isNothing(node) || times <= 0) {
      return NOTHING;
    }
    return Math.abs(times - 1) < ROUNDING ? node : new ProcessNode.Loop(id, node, times);
  }

  /** Nodes side by side. */
  static ProcessNode flow(String id, List<ProcessNode> children) {
    List<ProcessNode> some = children.stream().filter(each -> !isNothing(each)).toList();
    return switch (some.size()) {
      case 0 -> NOTHING;
      case 1 -> some.getFirst();
      default -> new ProcessNode.Flow(id, some, 1);
    };
  }

  /** One of several nodes, some of which may invoke nothing. */
  static ProcessNode choice(String id, List<ProcessNode> children, List<Double> probabilities) {
    return children.stream().allMatch(ProcessTrees::isNothing)
        ? NOTHING
        : new ProcessNode.Choice(id, children, probabilities);
  }

  /** This tree with a suffix on all ids. */
  static ProcessNode renamed(ProcessNode node, String suffix) {
    List<ProcessNode> children =
        node.children().stream().map(each -> renamed(each, suffix)).toList();
    return switch (node) {
      case ProcessNode.Task task -> task;
      case ProcessNode.Sequence _ -> new ProcessNode.Sequence(children);
      case ProcessNode.Flow flow ->
          new ProcessNode.Flow(flow.id() + suffix, children, flow.gamma());
      case ProcessNode.Choice choice ->
          new ProcessNode.Choice(choice.id() + suffix, children, choice.probabilities());
      case ProcessNode.Loop loop ->
          new ProcessNode.Loop(loop.id() + suffix, children.getFirst(), loop.iterations());
    };
  }

  /** The tasks of a tree, each once, in its order. */
  static SequencedSet<String> tasks(ProcessNode node) {
    SequencedSet<String> tasks = new LinkedHashSet<>();
    collect(node, tasks);
    return tasks;
  }

  private static void collect(ProcessNode node, SequencedSet<String> tasks) {
    if (node instanceof ProcessNode.Task(String task)) {
      tasks.add(task);
    }
    node.children().forEach(each -> collect(each, tasks));
  }

  /** Number of nodes of a tree. */
  static int size(ProcessNode node) {
    return 1 + node.children().stream().mapToInt(ProcessTrees::size).sum();
  }

  /** Nodes on the longest path down a tree. */
  static int depth(ProcessNode node) {
    return 1 + node.children().stream().mapToInt(ProcessTrees::depth).max().orElse(0);
  }
}
