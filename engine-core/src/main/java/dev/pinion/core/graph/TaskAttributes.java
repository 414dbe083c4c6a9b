package dev.pinion.core.graph;

import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * The common members of tasks of all kinds.
 *
 * @param identity the task in its document
 * @param condition the {@code if}, or null
 * @param input {@code input}: check and transformation of the raw input
 * @param output {@code output}: transformation of the raw output and check of the result
 * @param export {@code export}: the new context and its check
 * @param timeoutNanos the time the task may take, or null
 * @param next target of the flow when the task has ended: an index in the task's block, or a {@link
 *     FlowDirective} constant
 * @param compensation how the effects of the completed task are undone, or null
 */
public record TaskAttributes(
    TaskIdentity identity,
    @Nullable Expression<Boolean> condition,
    DataTransform input,
    DataTransform output,
    DataTransform export,
    @Nullable Expression<Long> timeoutNanos,
    int next,
    @Nullable Compensation compensation) {
  /** Members of a task without compensation. */
  public TaskAttributes(
      TaskIdentity identity,
      @Nullable Expression<Boolean> condition,
      DataTransform input,
      DataTransform output,
      DataTransform export,
      @Nullable Expression<Long> timeoutNanos,
      int next) {
    this(identity, condition, input, output, export, timeoutNanos, next, null);
  }

  /**
   * A task in its document.
   *
   * @param id number of the task in its graph, from 0 in document order
   * @param name name of the task
   * @param pointer JSON pointer of the task in its document, such as {@code /do/0/getPet}
   * @param definition the task as the document has it, for {@code $task.definition}
   */
  public record TaskIdentity(int id, String name, String pointer, Payload definition) {}

  /** Number of the task in its graph, from 0 in document order. */
  public int id() {
    return identity.id();
  }

  /** Name of the task. */
  public String name() {
    return identity.name();
  }

  /** JSON pointer of the task in its document, such as {@code /do/0/getPet}. */
  public String pointer() {
    return identity.pointer();
  }

  /** The task as the document has it, for {@code $task.definition}. */
  public Payload definition() {
    return identity.definition();
  }
}
