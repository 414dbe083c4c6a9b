package dev.pinion.core.language.field;

import dev.pinion.core.graph.Compensation;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code $input} and {@code $output} mean in a compensation: input and output of the completed
 * task. They are found under variables that no expression can name, see {@link Compensation}.
 */
public final class CompletedTaskValues {
  private static final String INPUT = "input";
  private static final String OUTPUT = "output";

  /** The names by which expressions see them. */
  static final List<String> NAMES = List.of(INPUT, OUTPUT);

  private CompletedTaskValues() {}

  /** Whether the text of an expression may name one of them. */
  static boolean areIn(String source) {
    return NAMES.stream().anyMatch(name -> source.contains("$" + name));
  }

  /** An expression in which the names mean them. */
  static <T> Expression<T> of(Expression<T> expression) {
    return (input, scope, budget) -> expression.evaluate(input, new Seen(scope), budget);
  }

  /** The variables by which those of some names are found. */
  public static Set<String> variables(Set<String> names) {
    Set<String> variables = new LinkedHashSet<>();
    NAMES.stream().filter(names::contains).forEach(name -> variables.add(variable(name)));
    return variables;
  }

  private static String variable(String name) {
    return switch (name) {
      case INPUT -> Compensation.INPUT;
      case OUTPUT -> Compensation.OUTPUT;
      default -> name;
    };
  }

  /** A scope in which the names mean the values of the completed task. */
  private record Seen(Scope scope) implements Scope {
    @Override
    public @Nullable Payload variable(String name) {
      return scope.variable(CompletedTaskValues.variable(name));
    }
  }
}
