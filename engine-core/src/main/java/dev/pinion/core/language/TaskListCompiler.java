package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Node;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.KnownMembers;
import dev.pinion.core.language.field.NamedItems;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.TaskKind;
import java.util.ArrayList;
import java.util.Collection;
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
    List<DocumentValue> named = list == null ? List.of() : named(list, "task", TaskKind.allKeys());
    List<Node> nodes = sequence(named, 0, visibleVariables);
    return nodes.isEmpty() ? Placeholders.block() : new Block(nodes);
  }

  /**
   * Tasks that run one after another, as a part of a block.
   *
   * @param first index of the first of them in the block
   */
  List<Node> sequence(List<DocumentValue> named, int first, VisibleVariables visibleVariables) {
    FlowTargets flow = FlowTargets.among(named, first, diagnostics);
    List<KnownMembers> inputs = MemberFlow.inputs(named, visibleVariables.input());
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < named.size(); i++) {
      nodes.add(
          tasks.compile(named.get(i), new TaskContext(visibleVariables.on(inputs.get(i)), flow)));
    }
    return nodes;
  }

  /** Tasks that run in parallel. */
  List<Node> branches(@Nullable DocumentValue list, VisibleVariables visibleVariables) {
    List<DocumentValue> named =
        list == null ? List.of() : named(list, "branch", TaskKind.allKeys());
    FlowTargets flow = FlowTargets.amongBranches(named, diagnostics);
    List<Node> nodes = new ArrayList<>();
    for (DocumentValue branch : named) {
      nodes.add(tasks.compile(branch, new TaskContext(visibleVariables, flow)));
    }
    return nodes;
  }

  /**
   * The members of the one-key objects of a list; other items are reported.
   *
   * @param what an item, for messages
   * @param keys keys that a member may have
   */
  List<DocumentValue> named(DocumentValue list, String what, Collection<String> keys) {
    return NamedItems.of(list, what, keys, diagnostics);
  }
}
