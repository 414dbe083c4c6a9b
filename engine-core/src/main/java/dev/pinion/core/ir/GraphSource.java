package dev.pinion.core.ir;

import dev.pinion.core.model.DefinitionKey;
import org.jspecify.annotations.Nullable;

/** Where the kernel finds compiled definitions. Any thread; must not block. */
@FunctionalInterface
public interface GraphSource {
  /** The graph of a definition, or null when it is not deployed. */
  @Nullable ProcessGraph graph(DefinitionKey key);
}
