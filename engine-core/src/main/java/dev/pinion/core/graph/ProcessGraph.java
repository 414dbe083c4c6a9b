package dev.pinion.core.graph;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * A compiled definition, which the kernel runs. Immutable and shared by all instances of the
 * definition.
 *
 * @param key identity of the definition
 * @param definition the document, for {@code $workflow.definition}
 * @param tasks number of tasks; ids are 0 to {@code tasks} - 1
 * @param inputSchema check of the raw workflow input, or null; returns its input
 * @param inputFrom transformation of the raw workflow input, or null
 * @param body the main {@code do}
 * @param outputAs transformation of the last task's output, or null
 * @param outputSchema check of the workflow output, or null; returns its input
 * @param timeoutNanos the time an instance may take, or null
 * @param durability the part of its instances that survives a crash, or null for the engine's
 *     default
 * @param fingerprint first 64 bits of the SHA-256 of the document as compact JSON: instances are
 *     pinned to the content that the definition had when they were started
 */
public record ProcessGraph(
    DefinitionKey key,
    Payload definition,
    int tasks,
    @Nullable Expression<Payload> inputSchema,
    @Nullable Expression<Payload> inputFrom,
    Block body,
    @Nullable Expression<Payload> outputAs,
    @Nullable Expression<Payload> outputSchema,
    @Nullable Expression<Long> timeoutNanos,
    @Nullable Durability durability,
    long fingerprint) {

  /**
   * The workflow as a task: its input, output and timeout are those of a {@code do} around the main
   * block.
   */
  public Node.Do root() {
    TaskAttributes common =
        new TaskAttributes(
            -1,
            key.name(),
            "/",
            definition,
            null,
            inputSchema,
            inputFrom,
            outputAs,
            outputSchema,
            null,
            null,
            timeoutNanos,
            FlowDirective.EXIT);
    return new Node.Do(common, body);
  }
}
