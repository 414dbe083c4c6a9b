package dev.pinion.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * What a task does with each event that it consumes, one after the other (DSL reference,
 * "Subscription Iterator").
 *
 * @param item variable of the event
 * @param at variable of its position
 * @param body the tasks, or null for none
 * @param output transformation of their output, and check of the result
 * @param export the new context and its check
 */
public record EventIteration(
    String item, String at, @Nullable Block body, DataTransform output, DataTransform export) {}
