package dev.pinion.core.kernel.replay;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.DeployedGraphs;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Deployed definitions, whose schedules can be withdrawn as by a client. */
final class OneRun implements GraphSource {
  private final DeployedGraphs graphs;
  private boolean withdrawn;

  OneRun(DeployedGraphs graphs, boolean withdrawn) {
    this.graphs = graphs;
    this.withdrawn = withdrawn;
  }

  boolean isWithdrawn() {
    return withdrawn;
  }

  /** Ends the schedules. */
  void withdraw() {
    withdrawn = true;
  }

  @Override
  public Map<DefinitionName, ProcessGraph> schedules() {
    return withdrawn ? Map.of() : graphs.schedules();
  }

  @Override
  public @Nullable ProcessGraph graph(DefinitionKey key) {
    return graphs.graph(key);
  }

  @Override
  public @Nullable ProcessGraph latestGraph(String namespace, String name) {
    return graphs.latestGraph(namespace, name);
  }
}
