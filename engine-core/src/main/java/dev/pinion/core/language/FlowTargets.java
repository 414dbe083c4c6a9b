package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Targets of the flow from the tasks of one list (DSL reference, "Flow Directive"). */
final class FlowTargets {
  private static final Map<String, Integer> DIRECTIVES =
      Map.of(
          "continue", FlowDirective.CONTINUE, "exit", FlowDirective.EXIT, "end", FlowDirective.END);
  private static final List<String> DIRECTIVE_NAMES = List.of("continue", "exit", "end");

  private final Map<String, Integer> tasks = new LinkedHashMap<>();
  private final boolean sideBySide;
  private final Diagnostics diagnostics;

  private FlowTargets(boolean sideBySide, Diagnostics diagnostics) {
    this.sideBySide = sideBySide;
    this.diagnostics = diagnostics;
  }

  /** The targets within a list of tasks that run one after another. */
  static FlowTargets among(List<DocumentValue> tasks, Diagnostics diagnostics) {
    return of(tasks, false, diagnostics);
  }

  /** The targets within the branches of a fork; branches never lead to each other. */
  static FlowTargets amongBranches(List<DocumentValue> branches, Diagnostics diagnostics) {
    return of(branches, true, diagnostics);
  }

  private static FlowTargets of(
      List<DocumentValue> tasks, boolean sideBySide, Diagnostics diagnostics) {
    FlowTargets targets = new FlowTargets(sideBySide, diagnostics);
    Map<String, DocumentValue> first = new LinkedHashMap<>();
    for (int i = 0; i < tasks.size(); i++) {
      DocumentValue task = tasks.get(i);
      DocumentValue earlier = first.putIfAbsent(task.name(), task);
      if (earlier == null) {
        targets.tasks.put(task.name(), i);
      } else {
        diagnostics.key(
            task,
            "expected each task name once in a list, found \""
                + ValueDescription.shorten(task.name())
                + "\" again after line "
                + diagnostics.source().at(earlier.keyOffset()).line());
      }
    }
    return targets;
  }

  /**
   * The target of a {@code then}: an index, or a {@link FlowDirective} constant; the next task
   * without one.
   */
  int resolve(@Nullable DocumentValue then) {
    if (then == null) {
      return FlowDirective.CONTINUE;
    }
    if (!then.isText()) {
      diagnostics.expected(then, "continue, exit, end or the name of a task");
      return FlowDirective.CONTINUE;
    }
    Integer directive = DIRECTIVES.get(then.text());
    Integer task = sideBySide ? null : tasks.get(then.text());
    if (directive == null && task == null) {
      refuse(then);
    }
    return directive != null ? directive : task != null ? task : FlowDirective.CONTINUE;
  }

  private void refuse(DocumentValue then) {
    List<String> known = new ArrayList<>(DIRECTIVE_NAMES);
    if (!sideBySide) {
      known.addAll(tasks.keySet());
    }
    diagnostics.value(
        then,
        (sideBySide
                ? "expected continue, exit or end, as branches of a fork run side by side, found "
                : "expected continue, exit, end or the name of a task of the same list, found ")
            + ValueDescription.describe(then.json()),
        () -> SpellingSuggestion.of(then.text(), known));
  }
}
