package dev.pinion.core.graph;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.schedule.ScheduleRule;
import org.jspecify.annotations.Nullable;

/**
 * A compiled definition, which the kernel runs. Immutable and shared by all instances of the
 * definition.
 *
 * @param source the definition
 * @param tasks number of tasks; ids are 0 to {@code tasks} - 1
 * @param root the workflow as a task: its input, output and timeout are those of a {@code do}
 *     around the main block
 * @param durability the part of its instances that survives a crash, or null for the engine's
 *     default
 * @param schedule graph of the instance that starts others of this definition by time or by events,
 *     or null
 */
public record ProcessGraph(
    DefinitionContent source,
    int tasks,
    Node.Do root,
    @Nullable Durability durability,
    @Nullable ProcessGraph schedule) {
  /**
   * The definition that a graph is compiled from.
   *
   * @param key identity of the definition
   * @param document the document, for {@code $workflow.definition}
   * @param fingerprint first 64 bits of the SHA-256 of the document as compact JSON: instances are
   *     pinned to the content that the definition had when they were started
   */
  public record DefinitionContent(DefinitionKey key, Payload document, long fingerprint) {}

  /** Identity of the definition. */
  public DefinitionKey key() {
    return source.key();
  }

  /** The document, for {@code $workflow.definition}. */
  public Payload definition() {
    return source.document();
  }

  /** First 64 bits of the SHA-256 of the document as compact JSON. */
  public long fingerprint() {
    return source.fingerprint();
  }

  /**
   * A graph.
   *
   * @param input check and transformation of the raw workflow input
   * @param body the main {@code do}
   * @param output transformation of the last task's output, and check of the result
   * @param timeoutNanos the time an instance may take, or null
   */
  public static ProcessGraph of(
      DefinitionContent source,
      int tasks,
      DataTransform input,
      Block body,
      DataTransform output,
      @Nullable Expression<Long> timeoutNanos,
      @Nullable Durability durability) {
    TaskAttributes common =
        new TaskAttributes(
            new TaskAttributes.TaskIdentity(-1, source.key().name(), "/", source.document()),
            null,
            input,
            output,
            DataTransform.NONE,
            timeoutNanos,
            FlowDirective.EXIT);
    return new ProcessGraph(source, tasks, new Node.Do(common, body), durability, null);
  }

  /** This graph with a schedule of due times. */
  public ProcessGraph scheduled(ScheduleRule rule) {
    return new ProcessGraph(source, tasks, root, durability, ScheduleGraph.of(this, rule, null));
  }

  /** This graph with a schedule of events. */
  public ProcessGraph scheduled(ScheduleRule rule, ScheduleEvents events) {
    return new ProcessGraph(source, tasks, root, durability, ScheduleGraph.of(this, rule, events));
  }

  /** The task of a graph whose instances keep a schedule; null for any other graph. */
  public Node.@Nullable Schedule scheduleTask() {
    return body().tasks().getFirst() instanceof Node.Schedule task ? task : null;
  }

  /** Check and transformation of the raw workflow input. */
  public DataTransform input() {
    return root.attributes().input();
  }

  /** The main {@code do}. */
  public Block body() {
    return root.body();
  }

  /** Transformation of the last task's output, and check of the result. */
  public DataTransform output() {
    return root.attributes().output();
  }

  /** The time an instance may take, or null. */
  public @Nullable Expression<Long> timeoutNanos() {
    return root.attributes().timeoutNanos();
  }
}
