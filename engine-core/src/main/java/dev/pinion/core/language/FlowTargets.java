package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.KnownNames;
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

  private final Map<String, Integer> tasks;

  /** The reason why no task can be a target; null when those of the list can. */
  private final @Nullable String alone;

  /** Whether the task stands in a block of its own inside that of the list. */
  private final boolean outer;

  private final Diagnostics diagnostics;

  private FlowTargets(
      Map<String, Integer> tasks, @Nullable String alone, boolean outer, Diagnostics diagnostics) {
    this.tasks = tasks;
    this.alone = alone;
    this.outer = outer;
    this.diagnostics = diagnostics;
  }

  /**
   * The targets within a list of tasks that run one after another.
   *
   * @param first index of the first of them in its block
   */
  static FlowTargets among(List<DocumentValue> tasks, int first, Diagnostics diagnostics) {
    return new FlowTargets(indices(tasks, first, diagnostics), null, false, diagnostics);
  }

  /** The targets within the branches of a fork; branches never lead to each other. */
  static FlowTargets amongBranches(List<DocumentValue> branches, Diagnostics diagnostics) {
    indices(branches, 0, diagnostics);
    return new FlowTargets(Map.of(), "as branches of a fork run side by side", false, diagnostics);
  }

  /** The targets of a function. */
  static FlowTargets ofFunction(Diagnostics diagnostics) {
    return new FlowTargets(Map.of(), "as a function is one task", false, diagnostics);
  }

  /** The same targets for the work of an extended task, which stands in a block of its own. */
  FlowTargets fromInside() {
    return new FlowTargets(tasks, alone, true, diagnostics);
  }

  private static Map<String, Integer> indices(
      List<DocumentValue> tasks, int first, Diagnostics diagnostics) {
    Map<String, Integer> indices = new LinkedHashMap<>();
    for (int i = 0; i < tasks.size(); i++) {
      DocumentValue task = tasks.get(i);
      Integer earlier = indices.putIfAbsent(task.name(), first + i);
      if (earlier != null) {
        diagnostics.key(
            task,
            "expected each task name once in a list, found \""
                + ValueDescription.shorten(task.name())
                + "\" again after line "
                + diagnostics.source().at(tasks.get(earlier - first).keyOffset()).line());
      }
    }
    return indices;
  }

  /**
   * The target of a {@code then}: an index, or a {@link FlowDirective} constant; the next task
   * without one.
   */
  int resolve(@Nullable DocumentValue then) {
    if (then == null) {
      return FlowDirective.CONTINUE;
    }
    int target = target(then);
    return outer ? FlowDirective.outer(target) : target;
  }

  private int target(DocumentValue then) {
    if (!then.isText()) {
      diagnostics.expected(then, "continue, exit, end or the name of a task as \"then\"");
      return FlowDirective.CONTINUE;
    }
    Integer target = DIRECTIVES.getOrDefault(then.text(), tasks.get(then.text()));
    if (target == null) {
      refuse(then);
      return FlowDirective.CONTINUE;
    }
    return target;
  }

  private void refuse(DocumentValue then) {
    List<String> known = new ArrayList<>(DIRECTIVE_NAMES);
    known.addAll(tasks.keySet());
    diagnostics.value(
        then,
        (alone == null
                ? "expected continue, exit, end or the name of a task of the same list ("
                    + KnownNames.listed(tasks.keySet())
                    + "), found "
                : "expected continue, exit or end, " + alone + ", found ")
            + ValueDescription.describe(then.json()),
        () -> SpellingSuggestion.of(then.text(), known));
  }
}
