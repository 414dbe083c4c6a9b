package dev.pinion.core.graph;

import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * The common members of tasks of all kinds.
 *
 * @param id number of the task in its graph, from 0 in document order
 * @param name name of the task
 * @param pointer JSON pointer of the task in its document, such as {@code /do/0/getPet}
 * @param definition the task as the document has it, for {@code $task.definition}
 * @param condition the {@code if}, or null
 * @param inputSchema check of the raw input, or null; returns its input
 * @param inputFrom transformation of the raw input, or null
 * @param outputAs transformation of the raw output, or null
 * @param outputSchema check of the transformed output, or null; returns its input
 * @param exportAs new context, or null
 * @param exportSchema check of the new context, or null; returns its input
 * @param timeoutNanos the time the task may take, or null
 * @param next target of the flow when the task has ended: an index in the task's block, or a {@link
 *     FlowDirective} constant
 */
public record TaskAttributes(
    int id,
    String name,
    String pointer,
    Payload definition,
    @Nullable Expression<Boolean> condition,
    @Nullable Expression<Payload> inputSchema,
    @Nullable Expression<Payload> inputFrom,
    @Nullable Expression<Payload> outputAs,
    @Nullable Expression<Payload> outputSchema,
    @Nullable Expression<Payload> exportAs,
    @Nullable Expression<Payload> exportSchema,
    @Nullable Expression<Long> timeoutNanos,
    int next) {}
