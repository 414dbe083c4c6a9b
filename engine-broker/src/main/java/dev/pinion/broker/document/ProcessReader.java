package dev.pinion.broker.document;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.core.model.SpellingSuggestion;
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

  private final DocumentDiagnostics documentDiagnostics;
  private final Set<String> tasks;
  private final boolean mayBeEmpty;
  private final Map<String, ProcessNode> nodes = new LinkedHashMap<>();

  /**
   * A reader of one process.
   *
   * @param tasks the tasks it may invoke
   * @param mayBeEmpty whether a sequence may have no children
   */
  ProcessReader(DocumentDiagnostics documentDiagnostics, Set<String> tasks, boolean mayBeEmpty) {
    this.documentDiagnostics = documentDiagnostics;
    this.tasks = tasks;
    this.mayBeEmpty = mayBeEmpty;
  }

  /** The nodes with ids, by id. */
  Map<String, ProcessNode> nodes() {
    return nodes;
  }

  ProcessNode read(LocatedValue locatedValue) {
    String type = locatedValue.node().path("type").asText();
    ProcessNode node =
        switch (type) {
          case "task" -> task(locatedValue);
          case "seq" -> sequence(fields(locatedValue, "seq", "children"));
          case "flow" -> flow(locatedValue);
          case "choice" -> choice(locatedValue);
          case "loop" -> loop(locatedValue);
          default -> unknown(locatedValue, type);
        };
    remember(locatedValue, node);
    return node;
  }

  private ProcessNode sequence(ObjectFields objectFields) {
    return new ProcessNode.Sequence(
        mayBeEmpty
            ? objectFields.items("children").stream().map(this::read).toList()
            : children(objectFields));
  }

  private ProcessNode unknown(LocatedValue locatedValue, String type) {
    String expected = "a node whose type is one of " + String.join(", ", TYPES);
    if (locatedValue.node().path("type").isTextual()) {
      documentDiagnostics.unknown(expected, locatedValue.member("type"), type, TYPES);
    } else {
      documentDiagnostics.expected(
          expected, locatedValue.node().isObject() ? locatedValue.member("type") : locatedValue);
    }
    return new ProcessNode.Sequence(List.of());
  }

  private ObjectFields fields(LocatedValue locatedValue, String what, String... keys) {
    List<String> all = new ArrayList<>(List.of("type", "id"));
    all.addAll(List.of(keys));
    return new ObjectFields(locatedValue, what, all, documentDiagnostics);
  }

  private ProcessNode task(LocatedValue locatedValue) {
    ObjectFields objectFields = fields(locatedValue, "task", "task");
    String name = objectFields.text("task");
    if (!name.isEmpty() && !tasks.contains(name)) {
      documentDiagnostics.unknown("one of the tasks", objectFields.get("task"), name, tasks);
    }
    return new ProcessNode.Task(name);
  }

  private ProcessNode flow(LocatedValue locatedValue) {
    ObjectFields objectFields = fields(locatedValue, "flow", "children", "gamma");
    String id = objectFields.text("id");
    double gamma = objectFields.number("gamma", NumberRange.AT_LEAST_1, 1);
    return new ProcessNode.Flow(id, children(objectFields), gamma);
  }

  private ProcessNode choice(LocatedValue locatedValue) {
    ObjectFields objectFields = fields(locatedValue, "choice", "children", "probabilities");
    String id = objectFields.text("id");
    List<ProcessNode> children = children(objectFields);
    List<Double> probabilities = objectFields.numbers("probabilities", NumberRange.PROBABILITY);
    checkSum(objectFields.get("probabilities"), probabilities, children.size());
    return new ProcessNode.Choice(id, children, probabilities);
  }

  /** Checks for one probability for each child, with the sum 1. */
  void checkSum(LocatedValue locatedValue, List<Double> probabilities, int children) {
    if (!locatedValue.node().isArray()) {
      return; // reported already
    }
    double sum = probabilities.stream().mapToDouble(Double::doubleValue).sum();
    if (probabilities.size() != children) {
      String found = ", found " + probabilities.size();
      documentDiagnostics.add(
          locatedValue, "expected " + children + " probabilities, one for each child" + found);
    } else if (!(Math.abs(sum - 1) <= SUM_TOLERANCE)) {
      documentDiagnostics.add(locatedValue, "expected probabilities whose sum is 1, found " + sum);
    }
  }

  private ProcessNode loop(LocatedValue locatedValue) {
    ObjectFields objectFields = fields(locatedValue, "loop", "child", "iterations");
    String id = objectFields.text("id");
    double iterations = objectFields.number("iterations", NumberRange.AT_LEAST_0);
    LocatedValue child = objectFields.required("child");
    ProcessNode body = child.isPresent() ? read(child) : new ProcessNode.Sequence(List.of());
    return new ProcessNode.Loop(id, body, iterations);
  }

  private List<ProcessNode> children(ObjectFields objectFields) {
    return objectFields.someItems("children").stream().map(this::read).toList();
  }

  private void remember(LocatedValue locatedValue, ProcessNode node) {
    LocatedValue id = locatedValue.member("id");
    if (!id.isPresent()) {
      return;
    }
    if (!id.node().isTextual()) {
      if (node instanceof ProcessNode.Task || node instanceof ProcessNode.Sequence) {
        documentDiagnostics.expected(
            "a string as id", id); // reported already for nodes that must have one
      }
      return;
    }
    String name = id.node().asText();
    if (nodes.putIfAbsent(name, node) != null) {
      documentDiagnostics.add(
          id, "expected a unique id for each node, found \"" + name + "\" again");
    }
  }

  /** Whether the node of a class's usage exists; reports a missing one. */
  boolean knows(LocatedValue usage, String id) {
    if (nodes.containsKey(id)) {
      return true;
    }
    String hint =
        nodes.isEmpty() ? "no node has an id" : SpellingSuggestion.hint(id, nodes.keySet());
    documentDiagnostics.add(
        usage, "expected the id of a node of the process, found \"" + id + "\"; " + hint);
    return false;
  }
}
