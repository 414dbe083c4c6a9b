package dev.pinion.core.language.field;

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
 * @param named variables of enclosing loops and catches, and of an enclosing compensation
 * @param around how the tasks at the place came there
 * @param input members of the input at the place
 */
public record VisibleVariables(Set<String> named, Surroundings around, KnownMembers input) {
  /** At the top of a definition. */
  public static final VisibleVariables NONE = at(Surroundings.DEFINITION);

  /** Every argument of the DSL. */
  static final Set<String> ARGUMENTS =
      Set.of(
          "context", "input", "output", "task", "workflow", "runtime", "secrets", "authorization");

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** At the top of what was inlined. */
  public static VisibleVariables at(Surroundings around) {
    return new VisibleVariables(Set.of(), around, KnownMembers.ANY);
  }

  /** The same with an input. */
  public VisibleVariables on(KnownMembers members) {
    return new VisibleVariables(named, around, members);
  }

  /** These and one more variable. */
  public VisibleVariables with(String name) {
    Set<String> more = new LinkedHashSet<>(named);
    more.add(name);
    return new VisibleVariables(more, around, input);
  }

  /**
   * For the tasks that compensate a task here: its input and output, and the error. They hide the
   * input and output of the compensating tasks themselves.
   */
  public VisibleVariables ofCompensation() {
    Set<String> more = new LinkedHashSet<>(named);
    more.add(Compensation.ERROR);
    more.addAll(CompletedTaskValues.NAMES);
    return new VisibleVariables(more, around, KnownMembers.ANY);
  }

  /** Whether this is inside of a compensation: elsewhere no variable is named like an argument. */
  public boolean isInCompensation() {
    return named.containsAll(CompletedTaskValues.NAMES);
  }

  /** For variables in braces of a URI: those of enclosing loops and catches. */
  public Set<String> ofUri() {
    Set<String> plain = new LinkedHashSet<>(named);
    plain.removeAll(ARGUMENTS);
    return plain;
  }

  /** For {@code input.from} and {@code timeout} of the workflow. */
  public static Set<String> ofWorkflowInput() {
    return Set.of("workflow", "runtime");
  }

  /** For {@code output.as} of the workflow. */
  public static Set<String> ofWorkflowOutput() {
    return Set.of("context", "workflow", "runtime");
  }

  /** For {@code if}, {@code input.from} and {@code timeout} of a task, before it has its input. */
  public Set<String> ofRawInput() {
    return and("context", "task", "workflow", "runtime");
  }

  /** For the work of a task, and its {@code output.as}. */
  public Set<String> ofTask() {
    return and("context", "input", "task", "workflow", "runtime");
  }

  /** For {@code input.from} of a call, whose expressions the Invoker may evaluate. */
  public Set<String> ofCallInput() {
    return and("context", "task", "workflow", "runtime", "secrets");
  }

  /** For the arguments of a call, but its authentication. */
  public Set<String> ofCall() {
    return and("context", "input", "task", "workflow", "runtime", "secrets", "authorization");
  }

  /** For the authentication of a call, and what a program gets. */
  public Set<String> ofAuthentication() {
    return and("context", "input", "task", "workflow", "runtime", "secrets");
  }

  /** For {@code output.as} of a call whose input the kernel does not know. */
  public Set<String> ofOutputWithoutInput() {
    return and("context", "task", "workflow", "runtime");
  }

  /** For {@code export.as} of such a call. */
  public Set<String> ofExportWithoutInput() {
    return and("context", "output", "task", "workflow", "runtime");
  }

  /** For {@code export.as} of a task. */
  public Set<String> ofExport() {
    return and("context", "input", "output", "task", "workflow", "runtime");
  }

  private Set<String> and(String... arguments) {
    Set<String> all = new LinkedHashSet<>(List.of(arguments));
    all.addAll(named);
    return all;
  }

  /** The name of a new variable, or the default when there is none or it cannot be one. */
  public static String name(
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
