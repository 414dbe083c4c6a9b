package dev.pinion.core.language.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The task that {@code $task} means where it is not the task that has the expression. It is found
 * under a variable that no expression can name, see {@link dev.pinion.core.graph.Node.Do#self}.
 */
public enum TaskSubject {
  /** The task that calls a function, in the arguments of the call. */
  CALLER("calling task"),

  /** The extended task, in its own work. */
  EXTENDED("extended task"),

  /** The extended task as extensions see it before it runs. */
  EXTENSION_BEFORE("extended task"),

  /** The extended task as extensions see it afterwards: with its raw output. */
  EXTENSION_AFTER("extended task");

  /** Variable under which the tasks after an extended task find its raw output, as an input. */
  public static final String ENDED = "ended task";

  private static final String TASK = "task";

  private final String variable;

  TaskSubject(String variable) {
    this.variable = variable;
  }

  /** The variable under which the task is found. */
  public String variable() {
    return variable;
  }

  /** The variables by which {@code $task} is made. */
  public Set<String> variables() {
    return this == EXTENSION_AFTER ? Set.of(variable, ENDED) : Set.of(variable);
  }

  /** The transformed input of the task. */
  public Payload input(Scope scope) {
    return input(scope, variable);
  }

  /** An expression in which {@code $task} means this task. */
  <T> Expression<T> of(Expression<T> expression) {
    return (input, scope, budget) -> expression.evaluate(input, new Named(scope), budget);
  }

  /** {@code $task}, for a task of an extension among others. */
  private Payload descriptor(Scope scope) {
    return descriptor(scope, this == EXTENSION_AFTER ? input(scope, ENDED) : Payload.NULL);
  }

  /**
   * {@code $task}.
   *
   * @param rawOutput its raw output, where it has ended
   */
  public Payload descriptor(Scope scope, Payload rawOutput) {
    JsonNode task = found(scope, variable).get(TASK);
    return switch (this) {
      case CALLER, EXTENDED -> Payload.of(task);
      case EXTENSION_BEFORE -> withMembers(task, null);
      case EXTENSION_AFTER -> withMembers(task, rawOutput);
    };
  }

  /**
   * The descriptor of a task and, beside its members, those of the task's definition, which the
   * specification's examples of extensions look for there.
   *
   * @param output the raw output, or null when there is none
   */
  private static Payload withMembers(JsonNode task, @Nullable Payload output) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    if (task.get("definition") instanceof ObjectNode definition) {
      all.setAll(definition);
    }
    all.remove("output"); // of the definition: it tells of no output that the task has
    all.setAll((ObjectNode) task);
    if (output != null) {
      all.set("output", output.json());
    }
    return Payload.of(all);
  }

  private static Payload input(Scope scope, String variable) {
    return Payload.of(found(scope, variable).get("input"));
  }

  private static JsonNode found(Scope scope, String variable) {
    Payload value = scope.variable(variable);
    if (value == null) {
      throw new IllegalStateException("expected the " + variable + " around, found none");
    }
    return value.json();
  }

  /** A scope in which {@code $task} means this task. */
  private final class Named implements Scope {
    private final Scope scope;

    Named(Scope scope) {
      this.scope = scope;
    }

    @Override
    public @Nullable Payload variable(String name) {
      return name.equals(TASK) ? descriptor(scope) : scope.variable(name);
    }
  }
}
