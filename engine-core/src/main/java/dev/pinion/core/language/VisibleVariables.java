package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.graph.Compensation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The variables that expressions can see at a place of a definition: the arguments of the DSL ("the
 * following table shows which arguments are available") and the names that enclosing tasks define.
 *
 * @param named variables of enclosing loops and catches, and those of an enclosing compensation
 */
record VisibleVariables(Set<String> named) {
  /** At the top of a definition. */
  static final VisibleVariables NONE = new VisibleVariables(Set.of());

  /** Every argument of the DSL. */
  static final Set<String> ARGUMENTS =
      Set.of(
          "context", "input", "output", "task", "workflow", "runtime", "secrets", "authorization");

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** These and one more variable. */
  VisibleVariables with(String name) {
    Set<String> more = new LinkedHashSet<>(named);
    more.add(name);
    return new VisibleVariables(more);
  }

  /**
   * For the tasks that compensate a task here: its input and output, and the error. They hide the
   * input and output of the compensating tasks themselves.
   */
  VisibleVariables ofCompensation() {
    return with(Compensation.ERROR).with(Compensation.INPUT).with(Compensation.OUTPUT);
  }

  /** Whether this is inside of a compensation: elsewhere no variable is named like an argument. */
  boolean isInCompensation() {
    return named.contains(Compensation.OUTPUT);
  }

  /** For {@code input.from} and {@code timeout} of the workflow. */
  static Set<String> ofWorkflowInput() {
    return Set.of("workflow", "runtime");
  }

  /** For {@code output.as} of the workflow. */
  static Set<String> ofWorkflowOutput() {
    return Set.of("context", "workflow", "runtime");
  }

  /** For {@code if}, {@code input.from} and {@code timeout} of a task, before it has its input. */
  Set<String> ofRawInput() {
    return and("context", "task", "workflow", "runtime");
  }

  /** For the work of a task, and its {@code output.as}. */
  Set<String> ofTask() {
    return and("context", "input", "task", "workflow", "runtime");
  }

  /** For {@code export.as} of a task. */
  Set<String> ofExport() {
    return and("context", "input", "output", "task", "workflow", "runtime");
  }

  private Set<String> and(String... arguments) {
    Set<String> all = new LinkedHashSet<>(List.of(arguments));
    all.addAll(named);
    return all;
  }

  /** The name of a new variable, or the default when there is none or it cannot be one. */
  static String name(
      FieldReader fieldReader, String key, String otherwise, Diagnostics diagnostics) {
    DocumentValue documentValue = fieldReader.text(key);
    if (documentValue == null) {
      return otherwise;
    }
    String name = documentValue.text();
    if (!NAME.matcher(name).matches()) {
      diagnostics.value(
          documentValue,
          "expected the name of a variable (letters, digits and underscores, without $), found "
              + ValueDescription.describe(documentValue.json()));
      return otherwise;
    }
    if (ARGUMENTS.contains(name) || name.equals("now")) {
      diagnostics.value(
          documentValue,
          "expected a name that is not an argument of the DSL, found \""
              + name
              + "\"; known are "
              + String.join(", ", ARGUMENTS.stream().sorted().toList()));
      return otherwise;
    }
    return name;
  }
}
