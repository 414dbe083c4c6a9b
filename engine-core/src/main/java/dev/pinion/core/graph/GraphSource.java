package dev.pinion.core.graph;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A source of compiled definitions for the kernel. Callable by any thread; must not block. */
@FunctionalInterface
public interface GraphSource {
  /** The graph of a definition, or null when it is not deployed. */
  @Nullable ProcessGraph graph(DefinitionKey key);

  /**
   * The graph for instances of a definition that were started with a given content: the definition
   * may have been deleted since.
   *
   * @param fingerprint fingerprint of that content
   * @return the deployed graph, perhaps of another content, when that content is unknown; null when
   *     there is none
   */
  default @Nullable ProcessGraph graph(DefinitionKey key, long fingerprint) {
    return graph(key);
  }

  /** Whether instances of a definition may start; those under way continue anyway. */
  default boolean isEnabled(DefinitionKey key) {
    return true;
  }

  /** The graph of the newest version of a definition, or null when none is deployed. */
  default @Nullable ProcessGraph latestGraph(String namespace, String name) {
    return null;
  }

  /**
   * Whether the graph of a definition is at hand, or cannot be compiled elsewhere. If it is not, it
   * is being compiled in the way of {@link #prepareOn}.
   *
   * @param version version of the definition, or null for the newest
   */
  default boolean isPrepared(String namespace, String name, @Nullable String version) {
    return true;
  }

  /** Sets who compiles definitions that are asked for by {@link #isPrepared}. */
  default void prepareOn(Executor executor) {}

  /**
   * Graphs of the instances that keep schedules, by the names whose newest enabled version has one;
   * another map after every change.
   */
  default Map<DefinitionName, ProcessGraph> schedules() {
    return Map.of();
  }

  /** Adds a listener that is called after every change of {@link #schedules}, on any thread. */
  default void addScheduleListener(Runnable listener) {}

  /** Removes a listener. */
  default void removeScheduleListener(Runnable listener) {}

  /** Whether every deployed definition is known; false in a replica that still reads them. */
  default boolean knowsAll() {
    return true;
  }
}
