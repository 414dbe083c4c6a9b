package dev.pinion.core.ir;

import dev.pinion.core.model.DefinitionKey;
import org.jspecify.annotations.Nullable;

/** Where the kernel finds compiled definitions. Any thread; must not block. */
@FunctionalInterface
public interface GraphSource {
  /** The graph of a definition, or null when it is not deployed. */
  @Nullable ProcessGraph graph(DefinitionKey key);

  /**
   * The graph that instances of a definition run which were started when it held something: the
   * definition may have been deleted since.
   *
   * @param fingerprint of what it held
   * @return the deployed one, which may hold something else, when that is not known; null when
   *     there is none
   */
  default @Nullable ProcessGraph graph(DefinitionKey key, long fingerprint) {
    return graph(key);
  }
}
