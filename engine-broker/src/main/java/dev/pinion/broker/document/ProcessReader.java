package dev.pinion.broker.document;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.core.model.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the tree of a process, and records its nodes by their ids. */
final class ProcessReader {
  /** Greatest difference of a sum of probabilities from 1. */
  static final double SUM_TOLERANCE = 1e-6;

  private static final List<String> TYPES = List.of("task", "seq", "flow", "choice", "loop");

  private final Problems problems;
  private final Set<String> tasks;
  private final boolean mayBeEmpty;
  private final Map<String, ProcessNode> nodes = new LinkedHashMap<>();

  /**
   * A reader of one process.
   *
   * @param tasks the tasks it may invoke
   * @param mayBeEmpty whether a sequence may have no children
   */
  ProcessReader(Problems problems, Set<String> tasks, boolean mayBeEmpty) {
    this.problems = problems;
    this.tasks = tasks;
    this.mayBeEmpty = mayBeEmpty;
  }

  /** The nodes with ids, by id. */
  Map<String, ProcessNode> nodes() {
    return nodes;
  }

  ProcessNode read(Part part) {
    String type = part.node().path("type").asText();
    ProcessNode node =
        switch (type) {
          case "task" -> task(part);
          case "seq" -> sequence(fields(part, "seq", "children"));
          case "flow" -> flow(part);
          case "choice" -> choice(part);
          case "loop" -> loop(part);
          default -> unknown(part, type);
        };
    remember(part, node);
    return node;
  }

  private ProcessNode sequence(Fields fields) {
    return new ProcessNode.Sequence(
        mayBeEmpty ? fields.items("children").stream().map(this::read).toList() : children(fields));
  }

  private ProcessNode unknown(Part part, String type) {
    String expected = "a node whose type is one of " + String.join(", ", TYPES);
    if (part.node().path("type").isTextual()) {
      problems.unknown(expected, part.member("type"), type, TYPES);
    } else {
      problems.expected(expected, part.node().isObject() ? part.member("type") : part);
    }
    return new ProcessNode.Sequence(List.of());
  }

  private Fields fields(Part part, String what, String... keys) {
    List<String> all = new ArrayList<>(List.of("type", "id"));
    all.addAll(List.of(keys));
    return new Fields(part, what, all, problems);
  }

  private ProcessNode task(Part part) {
    Fields fields = fields(part, "task", "task");
    String name = fields.text("task");
    if (!name.isEmpty() && !tasks.contains(name)) {
      problems.unknown("one of the tasks", fields.get("task"), name, tasks);
    }
    return new ProcessNode.Task(name);
  }

  private ProcessNode flow(Part part) {
    Fields fields = fields(part, "flow", "children", "gamma");
    String id = fields.text("id");
    double gamma = fields.number("gamma", Span.AT_LEAST_1, 1);
    return new ProcessNode.Flow(id, children(fields), gamma);
  }

  private ProcessNode choice(Part part) {
    Fields fields = fields(part, "choice", "children", "probabilities");
    String id = fields.text("id");
    List<ProcessNode> children = children(fields);
    List<Double> probabilities = fields.numbers("probabilities", Span.PROBABILITY);
    checkSum(fields.get("probabilities"), probabilities, children.size());
    return new ProcessNode.Choice(id, children, probabilities);
  }

  /** Checks for one probability for each child, with the sum 1. */
  void checkSum(Part part, List<Double> probabilities, int children) {
    if (!part.node().isArray()) {
      return; // reported already
    }
    double sum = probabilities.stream().mapToDouble(Double::doubleValue).sum();
    if (probabilities.size() != children) {
      String found = ", found " + probabilities.size();
      problems.add(part, "expected " + children + " probabilities, one for each child" + found);
    } else if (!(Math.abs(sum - 1) <= SUM_TOLERANCE)) {
      problems.add(part, "expected probabilities whose sum is 1, found " + sum);
    }
  }

  private ProcessNode loop(Part part) {
    Fields fields = fields(part, "loop", "child", "iterations");
    String id = fields.text("id");
    double iterations = fields.number("iterations", Span.AT_LEAST_0);
    Part child = fields.required("child");
    ProcessNode body = child.isThere() ? read(child) : new ProcessNode.Sequence(List.of());
    return new ProcessNode.Loop(id, body, iterations);
  }

  private List<ProcessNode> children(Fields fields) {
    return fields.someItems("children").stream().map(this::read).toList();
  }

  private void remember(Part part, ProcessNode node) {
    Part id = part.member("id");
    if (!id.isThere()) {
      return;
    }
    if (!id.node().isTextual()) {
      if (node instanceof ProcessNode.Task || node instanceof ProcessNode.Sequence) {
        problems.expected("a string as id", id); // reported already for nodes that must have one
      }
      return;
    }
    String name = id.node().asText();
    if (nodes.putIfAbsent(name, node) != null) {
      problems.add(id, "expected a unique id for each node, found \"" + name + "\" again");
    }
  }

  /** Whether the node of a class's usage exists; reports a missing one. */
  boolean knows(Part usage, String id) {
    if (nodes.containsKey(id)) {
      return true;
    }
    String hint = nodes.isEmpty() ? "no node has an id" : Nearest.hint(id, nodes.keySet());
    problems.add(usage, "expected the id of a node of the process, found \"" + id + "\"; " + hint);
    return false;
  }
}
