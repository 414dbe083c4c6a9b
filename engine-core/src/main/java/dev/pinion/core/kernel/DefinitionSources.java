package dev.pinion.core.kernel;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.model.Durability;
import java.util.function.IntPredicate;

/**
 * What a kernel knows of the definitions whose instances it runs.
 *
 * @param graphs compiled definitions
 * @param bindings source of concrete services for abstract ones
 * @param defaultDurability durability of instances whose definition does not say
 * @param ownedPartitions whether a partition belongs to the kernel, which keeps its schedules
 */
public record DefinitionSources(
    GraphSource graphs,
    BindingSource bindings,
    Durability defaultDurability,
    IntPredicate ownedPartitions) {
  /** Sources of a kernel to which every partition belongs. */
  public DefinitionSources(
      GraphSource graphs, BindingSource bindings, Durability defaultDurability) {
    this(graphs, bindings, defaultDurability, partition -> true);
  }
}
