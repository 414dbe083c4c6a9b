package dev.pinion.core.kernel;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.model.Durability;

/**
 * What a kernel knows of the definitions whose instances it runs.
 *
 * @param graphs compiled definitions
 * @param bindings source of concrete services for abstract ones
 * @param defaultDurability durability of instances whose definition does not say
 */
public record DefinitionSources(
    GraphSource graphs, BindingSource bindings, Durability defaultDurability) {}
