package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles lists of named tasks. */
final class TaskListCompiler {
  private final SingleTaskCompiler tasks;
  private final Diagnostics diagnostics;

  /** Compiles one task of a list, with everything inside it. */
  @FunctionalInterface
  interface SingleTaskCompiler {
    Node compile(DocumentValue task, TaskContext place);
  }

  TaskListCompiler(SingleTaskCompiler tasks, Diagnostics diagnostics) {
    this.tasks = tasks;
    this.diagnostics = diagnostics;
  }

  /** Tasks that run one after another; null stands for a list whose absence was reported. */
  Block sequence(@Nullable DocumentValue list, VisibleVariables visibleVariables) {
    List<DocumentValue> named = list == null ? List.of() : named(list, "task");
    FlowTargets flow = FlowTargets.among(named, diagnostics);
    List<Node> nodes = compile(named, new TaskContext(visibleVariables, flow));
    return nodes.isEmpty() ? Placeholders.block() : new Block(nodes);
  }

  /** Tasks that run in parallel. */
  List<Node> branches(@Nullable DocumentValue list, VisibleVariables visibleVariables) {
    List<DocumentValue> named = list == null ? List.of() : named(list, "branch");
    FlowTargets flow = FlowTargets.amongBranches(named, diagnostics);
    return compile(named, new TaskContext(visibleVariables, flow));
  }

  /** The members of the one-key objects of a list; other items are reported. */
  List<DocumentValue> named(DocumentValue list, String what) {
    if (!list.isArray() || list.json().isEmpty()) {
      diagnostics.expected(list, "an array with at least one " + what);
    }
    List<DocumentValue> named = new ArrayList<>();
    for (DocumentValue item : list.items()) {
      List<DocumentValue> members = item.members();
      if (!item.isObject() || members.isEmpty()) {
        diagnostics.expected(item, "an object with the name of a " + what + " as its only key");
      }
      if (members.size() > 1) {
        DocumentValue second = members.get(1);
        diagnostics.key(
            second,
            "expected one %s per item, found two, \"%s\" and \"%s\"; begin each with a dash of its own"
                .formatted(
                    what,
                    ValueDescription.shorten(members.getFirst().name()),
                    ValueDescription.shorten(second.name())));
      }
      named.addAll(members);
    }
    return named;
  }

  private List<Node> compile(List<DocumentValue> named, TaskContext place) {
    List<Node> nodes = new ArrayList<>();
    for (DocumentValue task : named) {
      nodes.add(tasks.compile(task, place));
    }
    return nodes;
  }
}
