package dev.pinion.core.kernel;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.model.DefinitionKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Definitions of a test; the latest of a name is the one that was put last. */
public final class DeployedGraphs implements GraphSource {
  private final Map<DefinitionKey, ProcessGraph> graphs = new HashMap<>();
  private final Map<String, ProcessGraph> latest = new HashMap<>();
  private final Set<DefinitionKey> disabled = new HashSet<>();

  /** Whether all are known. */
  public boolean complete = true;

  public void put(ProcessGraph graph) {
    graphs.put(graph.key(), graph);
    latest.put(graph.key().namespace() + "/" + graph.key().name(), graph);
  }

  /** Makes a definition unknown. */
  public void remove(DefinitionKey key) {
    graphs.remove(key);
    latest.remove(key.namespace() + "/" + key.name());
  }

  @Override
  public @Nullable ProcessGraph graph(DefinitionKey key) {
    return graphs.get(key);
  }

  @Override
  public @Nullable ProcessGraph latestGraph(String namespace, String name) {
    return latest.get(namespace + "/" + name);
  }

  /** Lets no more instances of a definition start. */
  public void disable(DefinitionKey key) {
    disabled.add(key);
  }

  @Override
  public boolean isEnabled(DefinitionKey key) {
    return !disabled.contains(key);
  }

  @Override
  public boolean knowsAll() {
    return complete;
  }
}
